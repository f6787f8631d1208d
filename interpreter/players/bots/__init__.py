"""Bots: random, greedy with lookahead, and Monte Carlo tree search. They never see the dice to come."""
