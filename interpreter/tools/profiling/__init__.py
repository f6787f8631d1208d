"""Where the time of play goes, in the author's own lines. Must not change what is played, nor make it faster itself."""
