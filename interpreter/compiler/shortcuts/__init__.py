"""Shorter ways to the same value, for shapes of expressions. Must not change any value, order or fault."""
