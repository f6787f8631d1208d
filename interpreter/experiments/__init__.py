"""Statistics over many games:

rulesets compared, varied and fitted. Knows no game, and claims no more than was measured.
"""
