"""Reading the YAML of a ruleset: text to trees with spans, trees to the typed model, faults to findings.

Must not know play or the rules language; no JSON-like mapping leaves this package.
"""
