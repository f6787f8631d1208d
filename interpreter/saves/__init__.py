"""Saved games as files: journals, their entries, storage locations and write locks. Plays no games."""
