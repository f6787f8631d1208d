"""What keeps a ruleset sound while it is written: cures carried out, files watched. Must not guess what was meant."""
