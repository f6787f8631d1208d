"""Narration: render a game as text: the position, its things, past events, and why an order is illegal."""
