"""Questions and orders in plain words: what a term means, how to win, what to do, how to attack."""
