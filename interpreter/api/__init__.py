"""The programming interface: load a ruleset, start a game, evaluate expressions, resume a saved game.

Independent of user interfaces.
"""
