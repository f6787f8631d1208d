"""What looks at a ruleset or a position for people: cases, odds, charts, drawings, descriptions, mutation.

Nothing here decides for a player or changes a game that is played.
"""
