"""Searches over the map as functions of their own, places as bits. Must not change what is found, nor at what cost."""
