"""Full-screen terminal interface for playing a game."""
