"""Commands for authors of rulesets, one module each; `main` discovers them as it does those in `commands`.

The interface of a module is the one described in `commands`.
"""
