"""Rulesets in an editor: the language server, and what it answers. Must not judge what `check` has not found."""
