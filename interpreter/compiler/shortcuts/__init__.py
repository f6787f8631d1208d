"""Peephole optimizations for particular expressions; values, order and faults stay the same."""
