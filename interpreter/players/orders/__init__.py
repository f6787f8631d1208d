"""Orders: what a player may order now, and how typed text is parsed into an order."""
