"""Builtin functions of the rules language: declarations and implementations."""
