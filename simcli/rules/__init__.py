"""The rules as data: variant files, their options, and what makes two variants the same."""
