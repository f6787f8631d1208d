"""Test `lsp` by a client over a pipe, counting columns in UTF-8 or in UTF-16."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE, wait_until

from .conftest import ROOT

pytest.importorskip("pygls")


class Client:
    """A client of the protocol with a server of its own."""

    def __init__(self, folder: Path, unit: str) -> None:
        self.unit, self.number, self.notes = unit, 0, []  # type: ignore[var-annotated]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "interpreter", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
        )
        general = {"positionEncodings": [unit]}
        start = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {"general": general}}
        self.can = self.ask("initialize", start)["capabilities"]
        self.tell("initialized", {})

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        out = self.process.stdout
        assert out is not None
        length = 0
        while (line := out.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            assert name in (b"Content-Length", b"Content-Type"), "nothing else may be printed"
            length = int(value) if name == b"Content-Length" else length
        message: dict[str, Any] = json.loads(out.read(length))
        return message

    def ask(self, method: str, params: Any) -> Any:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (message := self.read()).get("id") != self.number:
            self.notes.append(message)
        assert "error" not in message, message
        return message["result"]

    def refusal(self, method: str, params: Any) -> str:
        """Send a request that is refused; return the message that the editor shows."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (message := self.read()).get("id") != self.number:
            self.notes.append(message)
        told: str = message["error"]["message"]
        return told

    def tell(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def findings(self, path: Path) -> list[dict[str, Any]]:
        """Return the next diagnostics published for a file."""
        while True:
            for n, note in enumerate(self.notes):
                if note.get("method") == "textDocument/publishDiagnostics" and note["params"]["uri"] == path.as_uri():
                    del self.notes[: n + 1]
                    found: list[dict[str, Any]] = note["params"]["diagnostics"]
                    return found
            self.notes.append(self.read())

    def at(self, path: Path, text: str, word: str, inside: int = 1) -> dict[str, Any]:
        """Return the place of a word in a text, as a request names it."""
        offset = text.index(word) + inside
        before = text[:offset].rpartition("\n")
        column = len(before[2].encode("utf-16-le")) // 2 if self.unit == "utf-16" else len(before[2].encode())
        where = {"line": before[0].count("\n") + bool(before[1]), "character": column}
        return {"textDocument": {"uri": path.as_uri()}, "position": where}

    def open(self, path: Path, text: str) -> None:
        item = {"uri": path.as_uri(), "languageId": "grognard", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, path: Path, text: str) -> None:
        about = {"uri": path.as_uri(), "version": 2}
        self.tell("textDocument/didChange", {"textDocument": about, "contentChanges": [{"text": text}]})


@pytest.fixture
def tiny(tiny: Path) -> Path:
    """Return the absolute path of the tiny ruleset, as an editor names it."""
    return tiny.absolute()


@pytest.fixture(params=["utf-8", "utf-16"], scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Client]:
    """Start one server for all tests of a unit; each test opens files in a folder of its own."""
    made = Client(tmp_path_factory.mktemp("opened"), request.param)
    yield made
    made.ask("shutdown", None)
    made.tell("exit", None)
    assert made.process.wait(PATIENCE) == 0


def words(edits: list[dict[str, Any]], text: str, unit: str) -> str:
    """Return a text with edits applied, columns counted in a unit."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]))[::-1]:
        start, end = edit["range"]["start"], edit["range"]["end"]
        code = "utf-16-le" if unit == "utf-16" else "utf-8"
        size = 2 if unit == "utf-16" else 1
        first, last = lines[start["line"]].encode(code), (lines + [""])[end["line"]].encode(code)
        whole = first[: start["character"] * size] + edit["newText"].encode(code) + last[end["character"] * size :]
        lines[start["line"] : end["line"] + 1] = whole.decode(code).split("\n")
    return "\n".join(lines)


def test_language_server_answers_editor_requests(client: Client, tiny: Path) -> None:
    path = tiny / "play.rules"
    text = path.read_text(encoding="utf-8")
    assert client.can["positionEncoding"] == client.unit
    client.open(path, text)
    wide_ruleset = text.replace('"the fog hides {goal}"', '"霧🌫が{goal}を隠す"').replace(
        "playing fog and goal", "playing fog and gaol"
    )
    client.change(path, wide_ruleset)
    (found,) = client.findings(path)
    assert (found["code"], found["source"]) == ("unknown-name", "grognard")
    line = wide_ruleset.split("\n")[found["range"]["start"]["line"]]
    assert line[found["range"]["start"]["character"] :].startswith("gaol")
    about = {"textDocument": {"uri": path.as_uri()}, "range": found["range"], "context": {"diagnostics": [found]}}
    (action,) = client.ask("textDocument/codeAction", about)
    mended = words(action["edit"]["changes"][path.as_uri()], wide_ruleset, client.unit)
    assert mended == wide_ruleset.replace("gaol", "goal")
    assert path.read_text(encoding="utf-8") == text, "nothing is written"
    client.change(path, mended)
    assert client.findings(path) == []

    labels = [i["label"] for i in client.ask("textDocument/completion", client.at(path, mended, "b.tired", 2))["items"]]
    assert labels == ["tired"], "`set` takes what play changes"
    labels = [i["label"] for i in client.ask("textDocument/completion", client.at(path, mended, "x.owner", 2))["items"]]
    assert {"owner", "tired", "at"} == set(labels)
    labels = [
        i["label"] for i in client.ask("textDocument/completion", client.at(path, mended, "value.loss", 6))["items"]
    ]
    assert labels == ["loss"]
    cited = client.ask("textDocument/completion", client.at(path, mended, "[4.0]", 1))["items"]
    assert {"1.0", "4.0"} <= {i["label"] for i in cited}

    hover = client.ask("textDocument/hover", client.at(path, mended, "value.loss", 8))["contents"]["value"]
    assert "loss = 1" in hover
    hover = client.ask("textDocument/hover", client.at(path, mended, "[4.0]", 2))["contents"]["value"]
    assert "A side without spirit has lost." in hover
    (where,) = client.ask("textDocument/definition", client.at(path, mended, "storm_table[", 3))
    assert where["uri"] == (tiny / "tables.yaml").as_uri()
    about = {**client.at(path, mended, "foe(s)"), "context": {"includeDeclaration": True}}
    assert len(client.ask("textDocument/references", about)) == 4

    changed = client.ask("textDocument/rename", {**client.at(path, mended, "foe(s)"), "newName": "other_side"})
    renamed = words(changed["changes"][path.as_uri()], mended, client.unit)
    assert renamed == mended.replace("foe(", "other_side(")
    spirit = client.ask("textDocument/rename", {**client.at(path, mended, "spirit == 0"), "newName": "courage"})
    assert {Path(uri).name for uri in spirit["changes"]} == {"play.rules", "ruleset.yaml", "storming.yaml"}
    refused = client.refusal("textDocument/prepareRename", client.at(path, mended, "require"))
    assert "`require`" in refused and "cannot be renamed" in refused

    outline = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
    assert [s["name"] for s in outline] == ["shaken", "turn", "foe", "act"]
    assert [s["name"] for s in outline[1]["children"]] == ["acting", "ending"]
    (choice,) = outline[3]["children"]
    assert (choice["name"], [s["name"] for s in choice["children"]]) == ("action", ["march", "storm", "rest"])
    (found,) = client.ask("workspace/symbol", {"query": "storm_t"})
    assert (found["name"], found["location"]["uri"]) == ("storm_table", (tiny / "tables.yaml").as_uri())
    folds = client.ask("textDocument/foldingRange", {"textDocument": {"uri": path.as_uri()}})
    assert {"startLine": 2, "endLine": 9} in [{k: f[k] for k in ("startLine", "endLine")} for f in folds]
    called = client.ask("textDocument/signatureHelp", client.at(path, mended, "foe(s)", 4))
    assert called["signatures"][0]["label"] == "foe(s: side) -> side" and called["activeParameter"] == 0
    how = {"textDocument": {"uri": path.as_uri()}, "options": {"tabSize": 4, "insertSpaces": True}}
    laid_out = words(client.ask("textDocument/formatting", how), mended, client.unit)
    assert '  "霧🌫が{goal}を隠す"  [2.0]' in laid_out


def test_documents_headings_and_half_typed_lines(client: Client, tiny: Path) -> None:
    path = tiny / "tables.yaml"
    text = path.read_text(encoding="utf-8")
    client.open(path, text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    client.change(path, text + "  half:\n    axes: {die: ")
    assert client.findings(path) != []
    client.change(path, text)
    assert client.findings(path) == []
    (word,) = client.ask("textDocument/completion", client.at(path, text, "success]\n", 2))["items"][1:]
    assert (word["label"], word["textEdit"]["newText"]) == ("success", "success")
    hints = client.ask("textDocument/inlayHint", {"textDocument": {"uri": path.as_uri()}, "range": whole})
    assert [h["label"] for h in hints] == ["1:", "2:", "3:", "4:", "5:", "6:"]
    rules = tiny / "play.rules"
    spoilt = rules.read_text(encoding="utf-8") + "\nprocedure half(s: si"
    client.open(rules, spoilt)
    assert client.findings(rules)[0]["code"] == "unclosed-bracket"
    about = client.at(rules, spoilt, "foe(s).seat")
    assert client.ask("textDocument/hover", about)["contents"]["value"].startswith("**define**"), (
        "from the last good one"
    )


def test_server_refuses_message_longer_than_any_document() -> None:
    sent = b"Content-Length: 99999999999999\r\n\r\n{}"
    run = subprocess.run([sys.executable, "-m", "interpreter", "lsp"], input=sent, capture_output=True, cwd=ROOT)
    told = run.stderr.decode()
    assert run.returncode == 2 and "announces a message of 99,999,999,999,999 bytes" in told
    assert "a bug in grognard:" not in told and "Traceback" not in told


@pytest.mark.parametrize("client", ["utf-16"], indirect=True)
def test_completion_offers_names_after_save(client: Client) -> None:
    """Check that completion offers every name without a check in between; its time is measured by hand."""
    path = ROOT / "rulesets" / "napoleon" / "movement.rules"
    text = path.read_text(encoding="utf-8")
    client.open(path, text)
    client.tell("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    about = client.at(path, text, "u.nation", 2)

    def complete() -> list[str]:
        return [i["label"] for i in client.ask("textDocument/completion", about)["items"]]

    labels = wait_until(complete, "the document is checked")
    assert "nation" in labels and "war_status" not in labels
