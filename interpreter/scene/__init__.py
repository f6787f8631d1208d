"""One scene of a game, made for a seat: frozen records inside, plain JSON outside. Must not know what shows it, nor judge."""
