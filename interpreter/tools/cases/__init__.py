"""A ruleset's own cases: read, checked, run, and what they reach. Must not be lenient."""
