"""Draft searches as single functions; ends, their order and their paths stay the same."""
