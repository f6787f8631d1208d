"""Players: bots and people at a terminal, and the information shown to them."""
