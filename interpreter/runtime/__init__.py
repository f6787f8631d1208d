"""The machine: state, decisions, drafts, dice, the map as a graph, charts. Must not know files, screens or syntax."""
