"""WebAssembly back end: plays whole games in linear memory and traps where Python must take over."""
