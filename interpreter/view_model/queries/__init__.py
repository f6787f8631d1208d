"""Queries about a game beyond its view, answered as records without changing the game."""
