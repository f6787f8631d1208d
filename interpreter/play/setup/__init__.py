"""Start of a game: initial position, first decision, and checks of setups."""
