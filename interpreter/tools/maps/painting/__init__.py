"""Painting of map grounds: terrain that merges over spaces, lines of links, and names, from the data alone."""
