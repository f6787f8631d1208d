"""Compiler: checked rules to Python code objects and the data that a game needs."""
