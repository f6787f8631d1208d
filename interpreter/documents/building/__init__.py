"""From merged trees to the typed ruleset, a module for each kind of thing. Must not read files."""
