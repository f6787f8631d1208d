"""State, machine, decisions, dice, journal: running compiled rules. Knows no ruleset and no syntax."""
