"""Evaluation of expressions in a named position. Never changes the position."""
