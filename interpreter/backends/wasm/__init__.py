"""WebAssembly back end: plays whole games in linear memory and traps where Python must take over.

`emit_` functions return `Code`, an instruction tree; `write_` functions add a function to the module, or code to the
function being written. The helpers of `assembly/code_builder.py` are named like instructions.
"""
