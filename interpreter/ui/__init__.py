"""User interfaces: what a player sees and types. None decides what is legal, and none depends on another."""
