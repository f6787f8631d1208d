"""The typed, immutable ruleset: what the documents say once names are handles. Must not know play or syntax."""
