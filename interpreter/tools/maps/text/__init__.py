"""Maps drawn with characters: the page, a game on it, sketches of areas, colours. Must not know a game's rules."""
