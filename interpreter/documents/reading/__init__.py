"""Reading of files to trees with spans, one tree for each kind of document."""
