"""Differences of shares as people write them on the command line: as in files."""

from simcli.rules.points import share_of_points as share_of_points
