"""A ruleset as a book: pages to read, to print and to cut out. Must not judge, nor write files."""
