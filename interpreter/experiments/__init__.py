"""Statistics over many games: comparison, sweeps and fitting of rulesets."""
