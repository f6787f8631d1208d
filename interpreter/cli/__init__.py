"""The command line: one module per command, which parses arguments, calls the library and prints the result.

Game rules, file formats and charts are implemented elsewhere.
"""
