"""The door for programs: load a ruleset, start a game, ask, take a saved game up. Must not know a screen."""
