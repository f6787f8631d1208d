"""How browsers reach the board: addresses, proxies, ports, connections. Must not know what is played."""
