"""Reading `.rules` text into syntax nodes. Must not know a ruleset or types."""
