"""What may come of an option or a procedure, and how likely. Must not leave anything out without saying so."""
