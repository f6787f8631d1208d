"""Bots: who chooses without being asked. Must not see what dice will fall, nor know a game."""
