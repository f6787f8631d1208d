"""The map in character cells: plans at each zoom, the ground, lines and counters on it. Must not know widgets."""
