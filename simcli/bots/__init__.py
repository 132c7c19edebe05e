"""The bots: compiled choice functions behind one `choose` (docs/bots.md)."""
