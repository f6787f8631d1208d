"""Beginning of games: first positions, first decisions, and checks of setups."""
