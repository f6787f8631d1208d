"""Map searches as functions of their own, with sets of places as bit sets; results and costs stay the same."""
