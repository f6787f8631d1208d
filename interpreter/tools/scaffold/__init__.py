"""First files of a ruleset, scenario, variant, chart or case, sound as they are. Must not change other files."""
