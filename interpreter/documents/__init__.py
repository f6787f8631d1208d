"""Reading the YAML of a ruleset: text to trees with spans, trees to the typed model, faults to findings.

Knows nothing of play and of the rules language; no JSON-like mapping leaves this package.
"""
