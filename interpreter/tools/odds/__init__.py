"""Possible outcomes of an option or a procedure and their probabilities; anything left out is reported as such."""
