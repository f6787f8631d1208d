"""Comparison of two rulesets, with the differences in words. Does not judge their effect on play."""
