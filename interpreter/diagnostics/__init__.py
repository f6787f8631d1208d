"""Where things come from and how faults in them are told: sources, spans, diagnostics.

Every layer above may import it. Must not read files, nor know what a ruleset is.
"""
