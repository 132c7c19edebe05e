"""Bots of other people: found in files and packages, given a view, watched while they decide (docs/bots.md)."""
