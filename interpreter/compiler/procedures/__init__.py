"""Procedures and statements as Python, in one piece or split into blocks at decisions."""
