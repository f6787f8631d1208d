"""A game in words: the position, its things, what has happened, why not. Must not know a screen."""
