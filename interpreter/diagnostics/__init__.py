"""Sources, spans, and diagnostics that point into them.

Importable from every layer above. Reads no files and is independent of rulesets.
"""
