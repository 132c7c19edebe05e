"""Numbers as people write them on the command line: as in files."""

from simcli.rules.numbers import whole_number as whole_number
