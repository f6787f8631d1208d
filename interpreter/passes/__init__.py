"""Passes over the intermediate representation, one transformation each; no pass removes a fault."""
