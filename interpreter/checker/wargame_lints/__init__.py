"""What is right in itself and odd for a wargame: charts, maps, set-ups, ends of games. Must not change the model."""
