"""Measure how fast simcli plays: the engine, whole commands, and how workers add up."""
