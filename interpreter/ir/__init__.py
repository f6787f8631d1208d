"""Intermediate representation: typed records, printer, verifier, effects. Independent of syntax and of targets."""
