"""Create first files of a ruleset, scenario, variant, chart or case, valid as they are; changes no other file."""
