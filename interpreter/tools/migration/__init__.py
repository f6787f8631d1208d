"""Migrate files of older formats to the newest, keeping comments; ambiguous input is reported, never guessed."""
