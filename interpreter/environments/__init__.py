"""Rulesets as environments for reinforcement learning, in the forms of PettingZoo and OpenSpiel."""
