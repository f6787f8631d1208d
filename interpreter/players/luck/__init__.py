"""Luck: which rolls decided what, and how they fell against the average. Must not judge play."""
