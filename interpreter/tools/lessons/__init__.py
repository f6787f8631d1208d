"""Guided first turns: the tutorial of a ruleset as records, its checks, and the course of a lesson in play."""
