"""Formatter for the files of a ruleset; preserves meaning and comments. Does not check contents."""
