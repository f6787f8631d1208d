"""Tools that inspect a ruleset or position: cases, odds, charts, drawings, descriptions, mutation.

They never decide for a player or change a game in progress.
"""
