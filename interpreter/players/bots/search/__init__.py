"""Monte Carlo tree search: the player, its tree, playouts, rollout policy and stratified dice."""
