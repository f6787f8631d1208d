"""The Python side of a module: calls, and positions into and out of its memory. Must not write code."""
