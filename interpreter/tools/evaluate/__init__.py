"""Questions put to a position from outside: which one is meant, what an expression gives there. Must not change it."""
