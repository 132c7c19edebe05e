"""The charts of a report, one file each: rows of a comparison in, a matplotlib Figure out."""
