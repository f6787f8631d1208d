"""A game on the whole screen of a terminal. Must not decide what is legal, nor know other faces."""
