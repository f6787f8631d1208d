"""Checked rules -> Python code objects and the data a game needs. Must not make source text of author text."""
