"""Sums that are nearly always whole numbers -> made normal only where they are not, in finished code.

Must not change what a number is.
"""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.python_syntax import statements


def with_whole_numbers(node: ast.FunctionDef) -> None:
    """Change a function so that a number put into a name calls nothing when it is whole; it may be changed twice."""
    _Assigned().visit(node)


class _Assigned(ast.NodeTransformer):
    """Statements alone are changed: functions share parts, and all of them may have the change."""

    def visit_Assign(self, node: ast.Assign) -> Any:
        """`x = _normal(sum)`"""
        target, value = node.targets[0], node.value
        if len(node.targets) > 1 or not isinstance(target, ast.Name) or not isinstance(value, ast.Call):
            return node
        if not isinstance(value.func, ast.Name) or value.func.id != "_normal":
            return node
        name = ast.Name(target.id, ast.Load())
        mended = statements("if _1.__class__ is not int: _2 = _normal(_1)", name, ast.Name(target.id, ast.Store()))
        for part in ast.walk(mended[0]):
            ast.copy_location(part, node)
        return [ast.copy_location(ast.Assign(node.targets, value.args[0]), node), *mended]

    def visit(self, node: ast.AST) -> Any:
        """Nothing inside an expression is a statement."""
        return node if isinstance(node, ast.expr) else super().visit(node)
