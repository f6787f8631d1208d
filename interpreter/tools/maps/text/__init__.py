"""Draw maps as text: the page of a grid map, sketches of areas, colours; independent of any game's rules."""
