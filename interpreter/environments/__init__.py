"""Rulesets as environments for learning agents, in the forms of PettingZoo and OpenSpiel. Must not judge legality."""
