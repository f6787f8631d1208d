"""Answers to questions about a game, once for every face: each face only renders what it gets."""
