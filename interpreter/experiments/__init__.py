"""The lab: rulesets compared and varied over many games. Must not know a game, nor claim more than was measured."""
