"""What makes compiled rules fast. Must not change any value, order of options or fault."""
