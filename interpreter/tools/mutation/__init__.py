"""Mutation testing of a ruleset's cases: change one rule or datum at a time and see whether a case fails.

`rule_mutations` and `data_mutations` list the changes, `case_trace` finds the cases that each can affect, `mutant_run`
applies a change and runs these cases, `runner` iterates over all changes, `report` renders the results. The author's
files stay unchanged.
"""
