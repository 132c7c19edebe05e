"""Bulk play: plan a run, play its parts in processes, write them, go on where a run stopped."""
