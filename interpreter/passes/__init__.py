"""Passes over the intermediate representation, one transformation each. Must not hide a fault, nor know a target."""
