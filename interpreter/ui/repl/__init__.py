"""Interactive prompt for playing a game in a plain terminal, line by line."""
