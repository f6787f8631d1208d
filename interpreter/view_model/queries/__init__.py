"""What is asked about a game beside its scene, and answered as records. Must not change a game, nor know a screen."""
