"""Faces of a game: what a player sees and types. Must not decide what is legal, nor know each other."""
