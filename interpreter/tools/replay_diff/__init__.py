"""Replay a saved game on other rules: find how far it runs, what stops it, and which rule change is the cause."""
