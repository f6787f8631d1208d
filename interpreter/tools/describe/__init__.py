"""Descriptions of a ruleset's contents as data, text and charts. Never plays."""
