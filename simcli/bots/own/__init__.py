"""Own bots: found in files and packages, given a view, watched while they decide (docs/bots.md)."""
