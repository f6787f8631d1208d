"""Those who decide: bots, and people at a terminal; and what they are told. Must not judge legality."""
