"""The language server: maps protocol requests to the functions of `features` and its siblings.

Needs the extra `lsp`. All diagnostics are sent as protocol messages, because stdout belongs to the protocol.
"""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from interpreter import __version__
from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.quick_fixes import find_quick_fix
from interpreter.diagnostics.source_text import Source, map_span
from interpreter.files.file_names import is_rules_name
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.tools.formatting.layouts import LayoutChangedMeaningError, format_source
from interpreter.tools.lsp import features as answers
from interpreter.tools.lsp.features import Symbol, build_outline, list_folds
from interpreter.tools.lsp.renaming import RenameError, RenameTarget, find_references, rename, rename_place
from interpreter.tools.lsp.symbol_index import RulesetSymbol
from interpreter.tools.lsp.workspace import PARSER_LOCK, Finding, Workspace


@dataclass(slots=True)
class LineIndex:
    """A text with a table of its line starts, computed once."""

    text: str
    starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.starts = [0, *(end.end() for end in re.finditer(r"\r\n|\n|\r", self.text))]

    def get_position(self, offset: int, unit: str) -> tuple[int, int]:
        """Return the line and column of an offset, both from 0.

        >>> LineIndex("a\\r\\n東京!").get_position(5, "utf-16"), LineIndex("a\\r\\n東京!").get_position(5, "utf-8")
        ((1, 2), (1, 6))
        """
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return line, measure_units(self.text[self.starts[line] : offset], unit)

    def get_offset(self, line: int, column: int, unit: str) -> int:
        """Return the offset of a line and column, both from 0; a column beyond the line means its end.

        `unit`: the position encoding in which the column counts.
        """
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[max(line, 0)]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        at = start
        while at < end and column > 0:
            column -= measure_units(self.text[at], unit)
            at += 1
        return at


def measure_units(text: str, unit: str) -> int:
    """Return the number of units that a text occupies in a line.

    `unit`: the protocol's position encoding, "utf-8", "utf-16" or "utf-32".
    """
    if unit == "utf-32" or text.isascii():
        return len(text)
    return len(text.encode("utf-8")) if unit == "utf-8" else len(text.encode("utf-16-le")) // 2


CHECK_DELAY = 0.15  # seconds without typing before a check starts
_SEVERITIES = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "note": t.DiagnosticSeverity.Information,
}
_FUNCTIONS = ("procedure", "define", "rule", "tally", "draft", "function", "whenever", "setup", "turn")
_ITEMS = {
    **dict.fromkeys(_FUNCTIONS, t.CompletionItemKind.Function),
    "event": t.CompletionItemKind.Event,
    "attribute": t.CompletionItemKind.Field,
    "value": t.CompletionItemKind.Constant,
    "table": t.CompletionItemKind.Struct,
    "keyword": t.CompletionItemKind.Keyword,
    "local": t.CompletionItemKind.Variable,
    "kind": t.CompletionItemKind.Class,
    "paragraph": t.CompletionItemKind.Reference,
    "key": t.CompletionItemKind.Property,
    "word": t.CompletionItemKind.EnumMember,
    "rung": t.CompletionItemKind.EnumMember,
    "type": t.CompletionItemKind.Class,
    "class": t.CompletionItemKind.Class,
}
_SYMBOLS = {
    **dict.fromkeys(_FUNCTIONS, t.SymbolKind.Function),
    "key": t.SymbolKind.Key,
    "phase": t.SymbolKind.Namespace,
    "choose": t.SymbolKind.Event,
    "option": t.SymbolKind.EnumMember,
    "event": t.SymbolKind.Event,
    "record": t.SymbolKind.Struct,
    "attribute": t.SymbolKind.Field,
    "value": t.SymbolKind.Constant,
    "table": t.SymbolKind.Array,
    "kind": t.SymbolKind.Class,
    "class": t.SymbolKind.Class,
    "paragraph": t.SymbolKind.String,
}
_REQUEST_FAILED = -32803  # RequestFailed of the protocol: the editor shows the message
_MAX_SYMBOLS = 500


class _Position(Protocol):
    """Protocol of a request's parameters that name a position in a document."""

    @property
    def text_document(self) -> t.TextDocumentIdentifier:
        """Return the document."""

    @property
    def position(self) -> t.Position:
        """Return the position."""


class LanguageServerApp:
    """The state of a server: its workspace, and the diagnostics it has published."""

    def __init__(self, server: LanguageServer, say: Translator) -> None:
        self.server = server
        self.say = say
        self.workspace = Workspace()
        self.findings_by_target: dict[str, list[Finding]] = {}
        self.published_files: dict[str, set[Path]] = {}
        self.pending: dict[str, object] = {}
        self.lines_of: dict[Path, LineIndex] = {}

    @property
    def unit(self) -> str:
        """Return the position encoding in which the editor counts columns."""
        return str(getattr(self.server.workspace.position_encoding, "value", self.server.workspace.position_encoding))

    def get_line_index(self, path: Path) -> LineIndex:
        """Return the line index of a file, memoized for each version of its text."""
        text = self.workspace.read_text(path)
        index = self.lines_of.get(path)
        if index is None or index.text != text:
            index = self.lines_of[path] = LineIndex(text)
        return index

    def to_range(self, path: Path, start: int, end: int) -> t.Range:
        """Convert a span of a file to an editor's range."""
        lines, unit = self.get_line_index(path), self.unit
        return t.Range(t.Position(*lines.get_position(start, unit)), t.Position(*lines.get_position(end, unit)))

    def to_offset(self, path: Path, position: t.Position) -> int:
        """Convert an editor's position to an offset."""
        return self.get_line_index(path).get_offset(position.line, position.character, self.unit)

    async def schedule_check(self, path: Path, pause: float = CHECK_DELAY) -> None:
        """Check the ruleset of a file after `pause` seconds without a further call, and publish the diagnostics.

        A later call for the same ruleset during the pause or the check replaces this one.
        """
        target = self.workspace.find_target(path)
        ticket = self.pending[target] = object()
        await asyncio.sleep(pause)
        if self.pending.get(target) is ticket:
            findings = await asyncio.to_thread(self.workspace.check, target)
            if self.pending.get(target) is ticket:
                self.publish_findings(target, findings)

    def publish_findings(self, target: str, findings: list[Finding]) -> None:
        """Publish the findings of a target, file by file; clear the diagnostics of files that no longer have any."""
        self.findings_by_target[target] = findings
        files = {finding.path for finding in findings}
        for path in sorted(files | self.published_files.get(target, set())):
            diagnostics = [self.to_diagnostic(n, finding) for n, finding in enumerate(findings) if finding.path == path]
            self.server.text_document_publish_diagnostics(t.PublishDiagnosticsParams(_to_uri(path), diagnostics))
        self.published_files[target] = files

    def to_diagnostic(self, number: int, finding: Finding) -> t.Diagnostic:
        """Convert a finding to a protocol diagnostic.

        `number`: the index of the finding, kept as `data`, by which its quick fix is found.
        """
        diagnostic: Diagnostic = finding.diagnostic
        text = self.say(diagnostic.message)
        if diagnostic.help:
            text += "\n" + self.say("help: {help}", help=self.say(diagnostic.help))
        end = max(finding.span.end, finding.span.start + 1)
        return t.Diagnostic(
            range=self.to_range(finding.path, finding.span.start, end),
            message=text,
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            source="grognard",
            data=number,
        )


def _to_path(uri: str) -> Path:
    return Path(to_fs_path(uri) or uri).resolve()


def _to_uri(path: Path) -> str:
    return from_fs_path(str(path)) or path.as_uri()


def make_server(say: Translator = ENGLISH) -> LanguageServer:
    """Create a server with all its handlers. `say`: translates diagnostics."""
    server = LanguageServer("grognard", __version__, text_document_sync_kind=t.TextDocumentSyncKind.Incremental)
    app = LanguageServerApp(server, say)
    _register_documents(server, app)
    _register_names(server, app)
    _register_renaming(server, app)
    _register_edits(server, app)
    _register_outlines(server, app)
    return server


def _locate_request(app: LanguageServerApp, params: _Position) -> tuple[Path, int]:
    """Return the file and offset of a request."""
    path = _to_path(params.text_document.uri)
    return path, app.to_offset(path, params.position)


def _to_location(app: LanguageServerApp, place: RenameTarget) -> t.Location:
    return t.Location(_to_uri(place.path), app.to_range(place.path, place.start, place.end))


def _register_documents(server: LanguageServer, app: LanguageServerApp) -> None:
    async def update_document(uri: str, pause: float) -> None:
        path = _to_path(uri)
        app.workspace.texts[path] = server.workspace.get_text_document(uri).source
        app.workspace.folders = tuple(_to_path(uri) for uri in server.workspace.folders)
        await app.schedule_check(path, pause)

    @server.feature(t.TEXT_DOCUMENT_DID_OPEN)
    async def _handle_open(_server: LanguageServer, params: t.DidOpenTextDocumentParams) -> None:
        await update_document(params.text_document.uri, 0)

    @server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
    async def _handle_change(_server: LanguageServer, params: t.DidChangeTextDocumentParams) -> None:
        await update_document(params.text_document.uri, CHECK_DELAY)

    @server.feature(t.TEXT_DOCUMENT_DID_SAVE)
    async def _handle_save(_server: LanguageServer, params: t.DidSaveTextDocumentParams) -> None:
        await update_document(params.text_document.uri, 0)

    @server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
    async def _handle_close(_server: LanguageServer, params: t.DidCloseTextDocumentParams) -> None:
        path = _to_path(params.text_document.uri)
        app.workspace.texts.pop(path, None)
        await app.schedule_check(path)


def _register_names(server: LanguageServer, app: LanguageServerApp) -> None:
    @server.feature(t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=[".", "[", '"', " ", "{"]))
    def _complete(_server: LanguageServer, params: t.CompletionParams) -> t.CompletionList:
        path, offset = _locate_request(app, params)
        names, start = answers.complete(app.workspace, path, offset)
        is_by_blank = params.context is not None and params.context.trigger_character in (" ", "{")
        if is_by_blank and any(name.sort == "keyword" for name in names):
            names = []  # every name would fit: offer them only once a word is begun
        replaced_range = app.to_range(path, start, offset)
        items = [_to_completion_item(name, number, replaced_range) for number, name in enumerate(names)]
        return t.CompletionList(is_incomplete=False, items=items)

    @server.feature(t.TEXT_DOCUMENT_HOVER)
    def _describe_hover(_server: LanguageServer, params: t.HoverParams) -> t.Hover | None:
        _word, names = answers.find_meanings(app.workspace, *_locate_request(app, params))
        words = answers.describe_key(app.workspace, *_locate_request(app, params)) or answers.describe_names(names)
        return t.Hover(t.MarkupContent(t.MarkupKind.Markdown, words)) if words else None

    @server.feature(t.TEXT_DOCUMENT_SIGNATURE_HELP, t.SignatureHelpOptions(trigger_characters=["(", ",", "["]))
    def _describe_call(_server: LanguageServer, params: t.SignatureHelpParams) -> t.SignatureHelp | None:
        call = answers.find_call(app.workspace, *_locate_request(app, params))
        if call is None:
            return None
        documentation = t.MarkupContent(t.MarkupKind.Markdown, call.summary) if call.summary else None
        signature = t.SignatureInformation(
            call.label, documentation, [t.ParameterInformation(label) for label in call.params]
        )
        return t.SignatureHelp([signature], 0, call.index)

    @server.feature(t.TEXT_DOCUMENT_DEFINITION)
    def _find_definitions(_server: LanguageServer, params: t.DefinitionParams) -> list[t.Location]:
        return [
            _to_location(app, place) for place in answers.find_definitions(app.workspace, *_locate_request(app, params))
        ]

    @server.feature(t.TEXT_DOCUMENT_REFERENCES)
    async def _find_references(_server: LanguageServer, params: t.ReferenceParams) -> list[t.Location]:
        places = await asyncio.to_thread(find_references, app.workspace, *_locate_request(app, params))
        return [_to_location(app, place) for place in places]


def _register_renaming(server: LanguageServer, app: LanguageServerApp) -> None:
    def build_refusal(fault: RenameError) -> JsonRpcException:
        return JsonRpcException(app.say(fault.message), _REQUEST_FAILED)

    @server.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)
    async def _prepare_rename(_server: LanguageServer, params: t.PrepareRenameParams) -> t.Range:
        try:
            place = await asyncio.to_thread(rename_place, app.workspace, *_locate_request(app, params))
        except RenameError as fault:
            raise build_refusal(fault) from None
        return app.to_range(place.path, place.start, place.end)

    @server.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
    async def _rename(_server: LanguageServer, params: t.RenameParams) -> t.WorkspaceEdit:
        try:
            places = await asyncio.to_thread(rename, app.workspace, *_locate_request(app, params), params.new_name)
        except RenameError as fault:
            raise build_refusal(fault) from None
        changes: dict[str, list[t.TextEdit]] = {}
        for place in places:
            edit = t.TextEdit(app.to_range(place.path, place.start, place.end), params.new_name)
            changes.setdefault(_to_uri(place.path), []).append(edit)
        return t.WorkspaceEdit(changes=changes)


def _to_completion_item(name: RulesetSymbol, number: int, replaced_range: t.Range) -> t.CompletionItem:
    """Convert a symbol to a completion item that replaces the text at `replaced_range`.

    `number` is its rank, since editors otherwise sort alphabetically.
    """
    return t.CompletionItem(
        label=name.name,
        kind=_ITEMS.get(name.sort, t.CompletionItemKind.Value),
        detail=name.brief or name.sort,
        documentation=t.MarkupContent(t.MarkupKind.Markdown, name.summary) if name.summary else None,
        sort_text=f"{number:05d}",
        text_edit=t.TextEdit(replaced_range, f"{name.name}: " if name.sort == "key" else name.name),
    )


def _register_outlines(server: LanguageServer, app: LanguageServerApp) -> None:
    def build_symbol(path: Path, symbol: Symbol) -> t.DocumentSymbol:
        return t.DocumentSymbol(
            name=symbol.name,
            detail=None if symbol.sort == "key" else symbol.sort,
            kind=_SYMBOLS.get(symbol.sort, t.SymbolKind.Object),
            range=app.to_range(path, symbol.start, symbol.until),
            selection_range=app.to_range(path, symbol.start, symbol.end),
            children=[build_symbol(path, child) for child in symbol.children],
        )

    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def _build_outline(_server: LanguageServer, params: t.DocumentSymbolParams) -> list[t.DocumentSymbol]:
        path = _to_path(params.text_document.uri)
        return [
            build_symbol(path, symbol) for symbol in build_outline(app.workspace.read_text(path), is_rules_name(path))
        ]

    @server.feature(t.WORKSPACE_SYMBOL)
    def _search_symbols(_server: LanguageServer, params: t.WorkspaceSymbolParams) -> list[t.SymbolInformation]:
        matches = answers.search_symbols(app.workspace, params.query)[:_MAX_SYMBOLS]
        return [
            t.SymbolInformation(
                _to_location(app, place),
                name.name,
                _SYMBOLS.get(name.sort, t.SymbolKind.Object),
                container_name=name.sort,
            )
            for name, place in matches
        ]

    @server.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)
    def _list_folds(_server: LanguageServer, params: t.FoldingRangeParams) -> list[t.FoldingRange]:
        text = app.workspace.read_text(_to_path(params.text_document.uri))
        return [t.FoldingRange(first, last) for first, last in list_folds(text)]


def _register_edits(server: LanguageServer, app: LanguageServerApp) -> None:
    @server.feature(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionOptions(code_action_kinds=[t.CodeActionKind.QuickFix]))
    def _list_code_actions(_server: LanguageServer, params: t.CodeActionParams) -> list[t.CodeAction]:
        path = _to_path(params.text_document.uri)
        findings = app.findings_by_target.get(app.workspace.find_target(path), [])
        fixes = []
        for diagnostic in params.context.diagnostics:
            number = diagnostic.data if isinstance(diagnostic.data, int) else -1
            if 0 <= number < len(findings) and findings[number].path == path:
                fixes += _list_quick_fixes(app, findings[number], diagnostic)
        return fixes

    @server.feature(t.TEXT_DOCUMENT_FORMATTING)
    def _format_document(_server: LanguageServer, params: t.DocumentFormattingParams) -> list[t.TextEdit]:
        path = _to_path(params.text_document.uri)
        text = app.workspace.read_text(path)
        try:
            with PARSER_LOCK:
                formatted = format_source(Source(path.name, text), Sink())
        except LayoutChangedMeaningError:
            formatted = None
        if formatted is None or formatted == text:
            return []
        return [t.TextEdit(app.to_range(path, 0, len(text)), formatted)]

    @server.feature(t.TEXT_DOCUMENT_INLAY_HINT)
    def _list_inlay_hints(_server: LanguageServer, params: t.InlayHintParams) -> list[t.InlayHint]:
        path = _to_path(params.text_document.uri)
        target = app.workspace.find_target(path)
        known = app.workspace.indexes.get(target)
        hints = []
        paths, text = app.workspace.paths.get(target, {}), app.workspace.read_text(path)
        for span, heading in known.headings if known else ():
            if paths.get(span.file) != path or span.source.text != text:
                continue
            start = app.to_range(path, span.start, span.start).start
            if params.range.start.line <= start.line <= params.range.end.line:
                hints.append(t.InlayHint(start, f"{heading}:", padding_right=True))
        return hints


def _list_quick_fixes(app: LanguageServerApp, finding: Finding, diagnostic: t.Diagnostic) -> list[t.CodeAction]:
    """Return the quick fix of a finding as a code action, or [] if it has no certain one.

    `diagnostic`: the diagnostic that the editor shows for the finding.
    """
    edit = find_quick_fix(finding.diagnostic)
    span = map_span(app.workspace.read_text(finding.path), edit.span) if edit else None
    if edit is None or span is None:
        return []
    change = t.TextEdit(app.to_range(finding.path, span.start, span.end), edit.text)
    title = f"write `{edit.text}`" if edit.text.strip() else "correct the blanks"
    return [
        t.CodeAction(
            title=title,
            kind=t.CodeActionKind.QuickFix,
            diagnostics=[diagnostic],
            is_preferred=True,
            edit=t.WorkspaceEdit(changes={_to_uri(finding.path): [change]}),
        )
    ]
