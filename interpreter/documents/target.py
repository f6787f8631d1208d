"""Resolution of targets: from a shipped id, a folder or a variant file to the files to read.

Follows the chain of `extends` down to a ruleset folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.suggestions import did_you_mean, find_close_words
from interpreter.documents.reading.folder import (
    APART,
    LEARNING,
    LOCALES,
    TextFile,
    build_file_span,
    format_display_name,
    list_ruleset_files,
    read_file,
)
from interpreter.documents.reading.merge_files import SourceDocument, check_document, read_document
from interpreter.documents.reading.tree import ScalarNode
from interpreter.files.assets import list_shipped_parts, list_shipped_rulesets
from interpreter.files.file_names import find_ruleset_document, is_document_name, is_rules_name, resolve_spelling
from interpreter.i18n.translator import Message, mark as _

MAX_CHAIN = 20
_CELLS = (".csv", ".tsv", ".xlsx", ".xls", ".ods")


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant's file and document."""

    file: TextFile
    document: SourceDocument


@dataclass(frozen=True, slots=True)
class ResolvedTarget:
    """A resolved target: the base folder, the variants to overlay, base first, and a scenario, if named."""

    root: Path
    variants: tuple[Variant, ...]
    scenario: Variant | None = None


def find_target(target: str, sink: Sink, *, checked: bool = True) -> ResolvedTarget | None:
    """Find the documents of a target, or return None (reported).

    Variants are checked for form unless `checked` is false.
    """
    path = _resolve_path(target, sink)
    variants: list[Variant] = []
    variants_by_path: dict[Path, Variant] = {}
    scenario = _read_scenario(path)
    if scenario is not None:
        if checked and not check_document(scenario.document, sink):
            return None
        path = _find_ruleset(scenario, sink)
    while path is not None:
        if path.is_dir():
            return ResolvedTarget(path, tuple(reversed(variants)), scenario)
        real = path.resolve()
        if real in variants_by_path or len(variants) >= MAX_CHAIN:
            _report_circle(variants[-1], sink)
            return None
        variant = read_variant(path, sink, checked=checked)
        if variant is None:
            return None
        variants_by_path[real] = variant
        variants.append(variant)
        path = _resolve_extended_path(variant, sink)
    return None


def find_base(target: str) -> str | None:
    """Return the target that a variant extends (a folder or another variant file), or None if it is not a variant."""
    sink = Sink()
    path = _resolve_path(target, sink)
    variant = read_variant(path, sink) if path is not None and path.is_file() else None
    below = _resolve_extended_path(variant, sink) if variant else None
    return None if below is None else str(below)


def _resolve_path(target: str, sink: Sink) -> Path | None:
    """Return the path of a target, or None if it does not exist (reported)."""
    shipped = list_shipped_rulesets()
    if target in shipped:
        return shipped[target]
    nowhere = Span(Source(target or "<nothing>", ""), 0, 0)
    try:
        path = resolve_spelling(Path(target))
        if target and (path.is_dir() or path.is_file()):
            return path if path.is_dir() else _check_document(path, sink)
    except (OSError, ValueError):
        pass
    looks_like_path = "/" in target or "\\" in target or is_document_name(target)
    problem = (
        _("this file or folder does not exist")
        if looks_like_path
        else _("`{name}` is not a built-in ruleset or a folder", name=target)
    )
    sink.add_error("no-such-ruleset", problem, nowhere, help=_suggest_target(target, looks_like_path))
    return None


def _check_document(path: Path, sink: Sink) -> Path | None:
    """Return `path` if it may be a document; return None and report it if it is a rules file or a file of cells."""
    whole_file = Span(Source(path.name, ""), 0, 0)
    if is_rules_name(path):
        message, cure = _("this is a rules file, not a ruleset"), _("give the folder that contains it")
    elif path.suffix.lower() in _CELLS:
        message = _("this is a spreadsheet or CSV file, not a ruleset")
        cure = _("to read a chart from it: grognard table import RULESET TABLE FILE")
    else:
        return path
    sink.add_error("foreign-file", message, whole_file, help=cure)
    return None


def _suggest_target(target: str, looks_like_path: bool) -> Message | str:
    """Suggest a correction: a part of a shipped ruleset by its full name, or a similar name.

    `looks_like_path`: only parts of rulesets are suggested, written ID/NAME.
    """
    parts = list_shipped_parts()
    whole_names = [name for name in parts if name.partition("/")[2] == target]
    if whole_names:
        return did_you_mean(whole_names[0], whole_names)
    if looks_like_path:
        close = find_close_words(target, parts)
        return did_you_mean(target, close) if close else ""
    return did_you_mean(target, list_shipped_rulesets()) or _("give a folder or a variant file")


def _read_scenario(path: Path | None) -> Variant | None:
    """Return the scenario document in a file, or None if the file holds anything else."""
    if path is None or not path.is_file():
        return None
    file, document = _read_one(path, Sink())
    if file is None or document is None or document.kind != "scenario":
        return None
    return Variant(file, document)


def _find_ruleset(scenario: Variant, sink: Sink) -> Path | None:
    """Return the ruleset of a scenario file: the stated one, else the folder it lies in."""
    if "ruleset" in scenario.document.root:
        return _resolve_extended_path(scenario, sink, "ruleset")
    home = _find_ruleset_folder(scenario.file.path.parent)
    if home is None:
        message = _("the scenario does not name its ruleset")
        cure = _("write `ruleset:` with a built-in ruleset, or the path of a folder or a variant file")
        sink.add_error("missing-key", message, scenario.document.root.entries["kind"].key.span, help=cure)
    return home


def _read_one(path: Path, sink: Sink) -> tuple[TextFile | None, SourceDocument | None]:
    """Return the file at a path, and its document; None for what cannot be read."""
    real = path.resolve()
    root = _find_ruleset_folder(real.parent) or real.parent
    file = read_file(root, real.relative_to(root).as_posix(), sink)
    return file, read_document(file.source, sink) if file else None


def read_variant(path: Path, sink: Sink, *, checked: bool = True) -> Variant | None:
    """Return the variant in a file, or None (reported). It is checked for form unless `checked` is false."""
    file, document = _read_one(path, sink)
    if file is None or document is None:
        return None
    if document.kind != "variant":
        message = _("the file is a document of kind `{kind}`, not a variant", kind=document.kind)
        cure = _("give the folder of the ruleset, or a file that begins with `kind: variant`")
        sink.add_error("not-a-variant", message, document.root.entries["kind"].value.span, help=cure)
        return None
    return Variant(file, document) if not checked or check_document(document, sink) else None


def _resolve_extended_path(variant: Variant, sink: Sink, key: str = "extends") -> Path | None:
    """Return the path of the base that a variant names under `key`, or of the ruleset that a scenario belongs to.

    Returns None if none is named or it does not exist (reported).
    """
    node = variant.document.root.get(key)
    if not isinstance(node, ScalarNode):
        return None
    name, folder = node.text, variant.file.path.parent
    shipped = list_shipped_rulesets()
    around = _find_enclosing_ruleset(folder, name)
    if around is not None:
        return around
    if name in shipped:
        return shipped[name]
    if name in (parts := list_shipped_parts()):
        return parts[name]
    if Path(name).is_absolute() or name.startswith("~"):
        message = _("a variant names its base by a built-in id or a path from its own folder")
        sink.add_error("absolute-path", message, node.span, help=_("write a path like `../base`"))
        return None
    path = resolve_spelling(folder / name)
    if path.is_dir() or (path.is_file() and is_document_name(path)):
        return path.resolve()
    message = _("`{name}` is neither a built-in ruleset nor a folder or file relative to here", name=name)
    sink.add_error("no-such-ruleset", message, node.span, help=did_you_mean(name, shipped))
    return None


def _find_enclosing_ruleset(folder: Path, name: str) -> Path | None:
    """Return the ruleset folder called `name` that contains a variant; it takes precedence over a shipped one."""
    home = _find_ruleset_folder(folder)
    head = find_ruleset_document(home) if home else None
    file = read_file(home, head.name, Sink()) if home and head else None
    document = read_document(file.source, Sink()) if file else None
    return home if document and document.root.get_text("id") == name else None


def _find_ruleset_folder(folder: Path) -> Path | None:
    """Return the ruleset folder that `folder` is or lies in, at most two levels up."""
    folder = folder.resolve()
    return next((p for p in (folder, *folder.parents[:2]) if find_ruleset_document(p) is not None), None)


def _report_circle(variant: Variant, sink: Sink) -> None:
    """Report a variant that extends itself, directly or through others."""
    node = variant.document.root.get("extends")
    message = _("the variants extend each other in a circle, so none of them has a base")
    cure = _("make one of them extend a ruleset folder")
    if _resolve_extended_path(variant, Sink()) == variant.file.path.resolve():
        message = _("the variant extends itself, so it has no base")
        cure = _("after `extends:`, write a built-in id or the path of the ruleset folder")
    sink.add_error("variant-circle", message, node.span if node else variant.document.root.span, help=cure)


def list_variant_files(root: Path) -> list[Path]:
    """Return the files under a ruleset's `variants/`, sorted."""
    names = list_ruleset_files(root, Sink(), below="variants", apart=()) if (root / "variants").is_dir() else []
    return [root / name for name in names if not is_rules_name(name)]


def list_variants(target: str) -> list[str]:
    """Return the variant files of a ruleset folder or a shipped ruleset, without their cases."""
    root = list_shipped_rulesets().get(target, Path(target))
    if not root.is_dir():
        return []
    return [
        str(path)
        for path in list_variant_files(root)
        if not any(part.endswith("-tests") for part in path.relative_to(root).parts)
    ]


def list_files(target: str) -> list[str]:
    """Return the names of all files that a check of a target reads: own, extended, translations, variants."""
    resolved = find_target(target, Sink(), checked=False)
    if resolved is None:
        return []
    names = [
        format_display_name(resolved.root, name)
        for below in ("", LOCALES, LEARNING)
        if (resolved.root / below).is_dir()
        for name in list_ruleset_files(resolved.root, Sink(), below=below, apart=() if below else APART)
    ]
    layers = [*resolved.variants, *([resolved.scenario] if resolved.scenario is not None else [])]
    names += [layer.file.source.name for layer in layers]
    if not layers:
        names += [
            format_display_name(resolved.root, Path(path).relative_to(resolved.root).as_posix())
            for path in list_variants(target)
        ]
    return list(dict.fromkeys(names))


def find_shipped_variants(identifier: str) -> list[Path]:
    """Return the shipped variants with this id; the id is unique only within a ruleset."""
    variants = []
    for root in list_shipped_rulesets().values():
        for path in list_variant_files(root):
            variant = read_variant(path, Sink(), checked=False)
            if variant is not None and variant.document.root.get_text("id") == identifier:
                variants.append(path)
    return variants


def read_case_layers(target: str, sink: Sink, case_id: str = "") -> list[list[SourceDocument]]:
    """Return the checked `cases` documents of a ruleset folder and of each variant, base first.

    The folder has its cases under `tests/`, a variant beside its file in `<name>-tests`; each layer is sorted by file
    name. `case_id`: a case id; documents that cannot affect this case are not read.
    """
    resolved = find_target(target, sink)
    if resolved is None:
        return []
    if resolved.scenario is not None:  # the ruleset's own cases use other scenarios
        file = resolved.scenario.file.path
        return (
            [_read_cases_below(file.parent, f"{file.stem}-tests", sink, case_id)]
            if (file.parent / f"{file.stem}-tests").is_dir()
            else []
        )
    roots = [(resolved.root, "tests")]
    roots += [(v.file.path.parent, f"{v.file.path.stem}-tests") for v in resolved.variants]
    return [_read_cases_below(root, below, sink, case_id) if (root / below).is_dir() else [] for root, below in roots]


def _read_cases_below(root: Path, below: str, sink: Sink, case_id: str) -> list[SourceDocument]:
    """Return the cases documents in the folder `below`, without those that can neither contain nor affect a case.

    `case_id`: the id of the case, or '' for all cases.
    """
    documents: list[SourceDocument] = []
    for name in list_ruleset_files(root, sink, below=below, apart=()):
        file = None if is_rules_name(name) else read_file(root, name, sink)
        document = read_document(file.source, sink) if file and _may_affect_case(file.source.text, case_id) else None
        if document is None:
            continue
        if document.kind != "cases":
            message = _("the file is a document of kind `{kind}`, not cases", kind=document.kind)
            cure = _("only documents with `kind: cases` belong under tests/")
            sink.add_error("not-cases", message, build_file_span(root, name), help=cure)
        elif check_document(document, sink):
            documents.append(document)
    return documents


def _may_affect_case(text: str, case: str) -> bool:
    """Return whether a document may contain a case, retire it, or contain a position that cases share."""
    return case in text or "positions" in text or "\\" in text  # escapes may hide the id
