"""The commands of the lab, which play many games: a module for each as in `commands`. Must not reckon."""
