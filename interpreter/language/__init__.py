"""Reading `.rules` text into syntax nodes. Knows no ruleset and no types."""
