"""Trees laid over trees: variants, scenarios that extend others. Must not build values."""
