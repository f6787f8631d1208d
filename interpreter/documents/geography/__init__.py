"""Geography of documents: grids, chains of links, hexsides, lists of places."""
