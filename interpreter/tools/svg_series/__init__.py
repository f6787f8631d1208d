"""SVG drawings of consecutive positions of one game, with shared fragments drawn once.

Independent of the rules of any game; returns markup and writes no files.
"""
