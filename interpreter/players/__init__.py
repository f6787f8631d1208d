"""Those who decide: bots, and people at a terminal."""
