"""A game at a glance: aim, scores, front, roster, arrivals, what others did, a hint. Must not know a screen."""
