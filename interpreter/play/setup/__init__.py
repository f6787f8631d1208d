"""How games begin: first positions, first decisions, what a set-up must keep to. Must not play on from there."""
