"""Experiments: a question in a file, the runs that answer it, and what came out."""
