"""Map in character cells: layouts at each zoom, and their rendering with terrain, lines and pieces."""
