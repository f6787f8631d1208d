"""Python back end: prints the intermediate representation as the Python that plays a ruleset.

`print_` functions return the code of an expression, or write statements into a `SourceBlock`; `add_` functions add a
function to the `SourceModule`; `describe_` functions return data for the linker; `compile_` functions return code
objects.
"""
