"""Reconstructed data of a ruleset: what is left to replace, and which cases depend on it."""
