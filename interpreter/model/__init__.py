"""The typed, immutable ruleset with all names resolved to handles. Independent of play and of syntax."""
