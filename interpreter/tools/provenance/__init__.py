"""What of a ruleset is reconstructed: what is left to do, which cases rest on it. Must not judge who is right."""
