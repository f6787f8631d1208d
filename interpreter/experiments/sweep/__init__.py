"""Sweeps: what is varied, in which design, over which games, and what came of it. Must not know a game."""
