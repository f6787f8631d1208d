"""Network side of the board: addresses, proxies, ports and connections."""
