"""Luck analysis: which rolls decided which table results, and how they compare with the average."""
