"""A game told in words, each module one view of it. Knows no screen."""
