"""Lints: warnings about checked rules that are valid but look like mistakes."""
