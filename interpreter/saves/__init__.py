"""Saved games as files: journals, their entries, where they lie and who writes them. Must not play."""
