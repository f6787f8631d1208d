"""From files to trees with spans, one for each kind of document. Must not know what the names mean."""
