"""Checked expressions to Python expressions, shape by shape. Must not know what the code is for."""
