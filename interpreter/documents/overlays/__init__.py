"""Overlays of trees: variants, and scenarios that extend others."""
