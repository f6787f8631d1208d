"""Building of the typed ruleset from merged trees, with one module for each kind of thing."""
