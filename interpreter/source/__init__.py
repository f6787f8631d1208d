"""Where things come from and how faults in them are told: sources, spans, diagnostics.

Imports nothing of ours but `speech`; every other layer may import it.
"""
