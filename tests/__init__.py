"""The tests of simcli; the oracle is the second implementation of the rules, in plain Python."""
