"""A game at a plain terminal: lines out, lines in. Must not decide what is legal."""
