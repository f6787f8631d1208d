"""What a player may order now, and how what is typed becomes an order. Must not know a screen."""
