"""Procedures and their statements to Python, whole or cut into blocks at decisions. Must not optimise."""
