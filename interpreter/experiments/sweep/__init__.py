"""Parameter sweeps: factors, experimental designs, running the games, and the analysis of effects."""
