"""Tune the weights of a bot to the rules of a table, by play against itself."""
