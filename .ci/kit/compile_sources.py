"""Compile every module below /work/sources into /work/compiled; runs inside Pyodide."""

import ast
import importlib.util
import marshal
from pathlib import Path

SOURCES, COMPILED = Path("/work/sources"), Path("/work/compiled")
UNCHECKED = (0b01).to_bytes(4, "little") + bytes(8)  # a code file that is never compared with its source


def without_docstrings(tree):
    """Remove docstrings; a class keeps an empty one, for without one a dataclass writes its own, which takes time."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = node.body[0] if node.body else None
            is_told = (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            )
            if isinstance(node, ast.ClassDef):
                if is_told:
                    first.value.value = " "
                else:
                    node.body.insert(0, ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.Constant(" ")), node)))
            elif is_told and len(node.body) > 1:
                del node.body[0]
    return tree


def compiled(source, name):
    """Return the content of a code file."""
    is_own = name.startswith("interpreter/")
    tree = without_docstrings(ast.parse(source)) if is_own else source
    code = compile(tree, name, "exec", dont_inherit=True, optimize=1 if is_own else 2)
    return importlib.util.MAGIC_NUMBER + UNCHECKED + marshal.dumps(code)


for path in sorted(SOURCES.rglob("*")):
    if path.is_file():
        part, name = (
            path.relative_to(SOURCES).parts[0],
            path.relative_to(SOURCES / path.relative_to(SOURCES).parts[0]).as_posix(),
        )
        is_module = name.endswith(".py")
        out = COMPILED / part / (name + "c" if is_module else name)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(compiled(path.read_bytes(), name) if is_module else path.read_bytes())
