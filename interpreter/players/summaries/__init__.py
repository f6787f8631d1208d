"""Summaries: objectives, scores, contacts, roster, reinforcements, recap of recent moves, and a hint."""
