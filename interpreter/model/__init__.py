"""The typed, immutable ruleset: what the documents say once names are handles."""
