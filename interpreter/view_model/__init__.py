"""One scene of a game for a seat: records inside, plain JSON outside. Must not know what shows it, nor judge."""
