"""Test cases of a ruleset: reads, checks and runs them, and reports their coverage. Always strict."""
