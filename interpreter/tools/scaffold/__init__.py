"""Create first files of a ruleset, scenario, variant, chart or case, valid without edits; changes no other file."""
