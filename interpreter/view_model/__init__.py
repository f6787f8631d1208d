"""View model of a game for one seat: typed records inside, plain JSON outside."""
