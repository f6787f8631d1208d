"""Programs: compile checked rules in each form, and cache checked rules and programs on disk."""
