"""Replays and reports of saved games. Read-only: the games are never changed."""
