"""The WebAssembly back end: whole games in linear memory. Must not decide what rules mean, nor tell faults."""
