"""Translation of the interface and formatting of numbers. Independent of rulesets."""
