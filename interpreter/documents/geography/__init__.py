"""How documents write the map's shape: grids, chains of links, sides, lists of places. Must not build values."""
