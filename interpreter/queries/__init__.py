"""Queries about a game, answered in one place for terminal, board and reports, which only render the answers."""
