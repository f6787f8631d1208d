"""Parsing of `.rules` text into syntax trees. Independent of rulesets and types."""
