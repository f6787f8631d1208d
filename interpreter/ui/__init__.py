"""User interfaces. None decides what is legal, and none depends on another."""
