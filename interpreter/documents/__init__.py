"""Reading of a ruleset's YAML: text to trees with spans, trees to the typed model, faults to diagnostics.

Everything that leaves this package is typed.
"""
