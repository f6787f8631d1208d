"""Automatic repair of a ruleset during authoring: applies quick fixes and watches files.

Only fixes that need no guess about the author's intent are applied.
"""
