"""Type checking of rules: names, types, control flow and citations.

Turns syntax trees into a checked model and diagnostics. Runs no rules.
"""
