"""WebAssembly modules as data: instructions, binary encoding, text form, and the runtime library."""
