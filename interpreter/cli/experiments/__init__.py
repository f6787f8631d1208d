"""Commands of the lab, which play many games, one module each as in `commands`. Statistics are computed elsewhere."""
