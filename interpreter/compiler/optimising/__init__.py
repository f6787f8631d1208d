"""Optimizations that preserve every value, the order of options, and every fault."""
