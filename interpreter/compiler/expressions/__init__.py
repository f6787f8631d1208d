"""Checked expressions to Python expressions, one handler per node class."""
