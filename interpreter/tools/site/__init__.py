"""Render a ruleset as a book: pages to read, to print and to cut out. Writes no files."""
