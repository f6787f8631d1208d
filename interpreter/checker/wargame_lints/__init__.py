"""Lints specific to wargames: charts, maps, setups and game ends. The model is read only."""
