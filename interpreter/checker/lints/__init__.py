"""What is right in itself and yet looks like a slip: findings on checked rules. Must not type anything."""
