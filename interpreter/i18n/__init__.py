"""The interface's own words, and how numbers are written. Must not know a ruleset."""
