"""Targets that cannot be read, and folders of strangers."""

from __future__ import annotations

import os

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.reading.folder import MAX_BYTES
from interpreter.documents.target import list_variant_files, read_case_layers


@pytest.mark.parametrize("target", ["", "nowhere", "no/where", "x.yaml", "\0", "a" * 5000])
def test_target_without_file_is_reported(load_target, target):
    loaded = load_target(target)
    assert (loaded.ruleset, loaded.codes) == (None, ["no-such-ruleset"])


def test_misspelt_id_is_corrected(load_target):
    from interpreter.files.assets import list_shipped_rulesets

    for name in list_shipped_rulesets():
        assert f"`{name}`" in load_target(name + "x").only("no-such-ruleset").help


def test_part_of_shipped_ruleset(load_target):
    from interpreter.files.assets import format_target_name, list_shipped_parts, resolve_target

    assert resolve_target("napoleon") == "napoleon"
    for name, file in list_shipped_parts().items():
        assert resolve_target(name) == str(file)
        assert format_target_name(str(file)) == name
    part = "napoleon/treaties"
    assert f"`{part}`" in load_target("treaties").only("no-such-ruleset").help
    assert f"`{part}`" in load_target(part[:-1]).only("no-such-ruleset").help
    for strange in ("napoleon/../treaties", "napoleon/variants/treaties", "x/" + "y" * 5000, "x/\0"):
        assert resolve_target(strange) == strange


def test_variant_of_shipped_variant(load_target, tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text("kind: variant\nformat: 1\nid: own\ntitle: Own\nextends: napoleon/treaties\n", encoding="utf-8")
    assert load_target(own).codes == []
    assert load_target(own).ruleset.id == "own"


def test_folder_without_ruleset_is_diagnosed(load_target, tmp_path, workspace):
    assert load_target(tmp_path).codes == ["no-ruleset-document"]
    del workspace.files["ruleset.yaml"]
    assert workspace.load().codes == ["no-ruleset-document"]


def test_document_as_target_is_refused(workspace):
    assert workspace.load("map.yaml").codes == ["not-a-variant"]


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"kind: map\nformat: 1\n# \xff\n", "not-utf8", 3),
        ("kind: map\nformat: 1\n".encode("utf-16"), "not-utf8", 1),
        (b"", "empty-document", 1),
        (b"# nothing\n", "empty-document", 1),
        (b"- a\n", "no-document", 1),
        (b"kind: map\nformat: 1\nplaces: \x00\n", "control-character", 3),
        (b"#" * (MAX_BYTES + 1), "file-too-large", 1),
        (b"a: " + b"{a: " * 5000, "too-deep", 1),
    ],
)
def test_unreadable_file_is_diagnosed(workspace, content, code, line):
    workspace.write({"more.yaml": content})
    loaded = workspace.load()
    finding = loaded.only(code)
    assert (finding.file, finding.line, loaded.ruleset) == ("two_hills/more.yaml", line, None)
    assert loaded.codes == [code]


def test_links_out_of_folder_are_not_followed(workspace, tmp_path):
    secret = tmp_path / "secret.yaml"
    secret.write_text("kind: tables\nformat: 1\nvalues: {secret: 1}\n")
    folder = workspace.write()
    (folder / "link.yaml").symlink_to(secret)
    loaded = workspace.load()
    assert loaded.codes == ["outside-folder"]
    (folder / "link.yaml").unlink()
    (tmp_path / "other").mkdir()
    (folder / "linked").symlink_to(tmp_path / "other")
    assert workspace.load().codes == ["outside-folder"]


def test_link_within_folder_is_read(workspace):
    folder = workspace.write({"real.yaml": "kind: tables\nformat: 1\nvalues: {third: 1}\n"})
    (folder / "real.yaml").rename(folder / "real.text")
    (folder / "link.yaml").symlink_to(folder / "real.text")
    assert workspace.load().good().constants["third"].value == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_is_not_opened(workspace):
    os.mkfifo(workspace.write() / "pipe.yaml")
    assert workspace.load().codes == ["unreadable-file"]


def test_too_many_files_are_diagnosed(workspace, monkeypatch):
    monkeypatch.setattr("interpreter.documents.reading.folder.MAX_FILES", 3)
    assert "too-many-files" in workspace.load().codes


def test_cases_are_read_in_layers(workspace):
    good = "kind: cases\nformat: 1\ncases: {c1: {title: x, when: [{call: go, choices: [{a: b}]}], then: {}}}\n"
    folder = workspace.write({"tests/a.yaml": good, "tests/more/b.yaml": good})
    sink = Sink()
    assert [len(layer) for layer in read_case_layers(str(folder), sink)] == [2]
    assert not sink.items
    workspace.write(
        {
            "tests/b.yaml": good.replace("call: go", "call: go, ask: x"),
            "tests/c.yaml": "kind: map\nformat: 1\n",
        }
    )
    assert [len(layer) for layer in read_case_layers(str(folder), sink)] == [2]
    assert [d.code for d in sink.list_sorted()] == ["misplaced-key", "not-cases"]


def test_variant_files_of_ruleset_are_listed(workspace):
    assert [p.name for p in list_variant_files(workspace.write())] == ["long_day.yaml"]
