"""Checked rules -> Python code objects and the data a game needs. Never makes source text of author text."""
