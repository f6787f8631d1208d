"""Completions at a cursor in rules and documents, with their types. Independent of the protocol."""
