"""What looks at a ruleset or a position for people: cases, odds, charts, drawings, descriptions, mutation.

Must not decide for a player or change a game that is played.
"""
