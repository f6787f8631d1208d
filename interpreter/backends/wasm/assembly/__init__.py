"""Modules of WebAssembly as data: instructions, binary and text form, runtime pieces. Must not know rules."""
