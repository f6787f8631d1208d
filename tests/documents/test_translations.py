"""Locale documents: gathered by language, laid over by variants, no part of the game itself."""

from __future__ import annotations

import pytest

from interpreter.documents.pipeline import compute_content_hash
from interpreter.programs import program_cache

JA = """\
kind: locale
format: 1
language: ja
texts:
  "{u} halts": "{u}は止まる"
  not yet:
names: {camp: 陣営, ford: 浅瀬, hill: 山, fog: 霧}
"""


def test_locale_is_read(workspace):
    workspace.files["locale/ja.yaml"] = JA
    locale = workspace.load().good().locales["ja"]
    assert {k: v.text for k, v in locale.texts.items()} == {"{u} halts": "{u}は止まる"}
    assert locale.names["camp"].span.file == "two_hills/locale/ja.yaml"
    assert locale.complete is None


def test_name_is_label_without_translation(workspace):
    workspace.files["locale/ja.yaml"] = JA
    rules = workspace.load().good()
    assert rules.kinds["side"].attributes["camp"].label == {"en": "camp", "ja": "陣営"}
    assert rules.options["fog"].label["ja"] == "霧"
    places = {x.id: x.label for x in rules.kinds["place"].things}
    assert places["ford"]["ja"] == "浅瀬"
    assert places["hill"] == {"en": "The Hill", "ja": "丘"}, "a label of the documents comes first"


def test_locale_files_of_one_language_are_merged(workspace):
    workspace.files["locale/ja.yaml"] = JA
    workspace.files["locale/more/ja2.yaml"] = """\
kind: locale
format: 1
language: ja
complete: true
texts: {stop: 止まれ}
names: {mud: 泥}
"""
    locale = workspace.load().good().locales["ja"]
    assert list(locale.texts) == ["{u} halts", "stop"]
    assert "mud" in locale.names and "camp" in locale.names
    assert locale.complete is not None


def test_text_is_translated_once(workspace):
    workspace.files["locale/a.yaml"] = workspace.files["locale/b.yaml"] = JA
    assert set(workspace.load().codes) == {"defined-twice"}


def test_only_locales_lie_there(workspace):
    workspace.files["locale/map.yaml"] = "kind: tables\nformat: 1\nvalues: {secret: 1}\n"
    assert workspace.load().only("not-a-locale").line == 1


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("language: ja\n", "", "missing-key"),
        ("language: ja", "language: de", "unknown-language"),
        ("language: ja", "language: J", "unknown-language"),
        ("は止まる", "\\u001b[2J", "control-character"),
        ("camp: 陣営", "camp: [1]", "wrong-type"),
        ("camp: 陣営", "camp: 3", "wrong-type"),
        ("camp: 陣営", "the camp: 陣営", "bad-name"),
        ("は止まる", "x" * 600, "wrong-length"),
        ("not yet:", "x" * 600 + ":", "bad-name"),
        ("texts:", "labels: {a.b.c: x}\ntexts:", "bad-name"),
        ("texts:", "words:", "unknown-key"),
    ],
)
def test_spoiled_locale_is_diagnosed(workspace, old, new, code):
    workspace.files["locale/ja.yaml"] = JA
    workspace.spoil("locale/ja.yaml", old, new)
    assert code in workspace.load().codes


def test_link_out_of_folder_is_not_followed(workspace, tmp_path):
    secret = tmp_path / "secret.yaml"
    secret.write_text(JA, encoding="utf-8")
    (workspace.write() / "locale").mkdir()
    (workspace.folder / "locale" / "ja.yaml").symlink_to(secret)
    assert workspace.load().codes == ["outside-folder"]


def test_translations_change_cache_key_but_not_identity(workspace):
    variant = str(workspace.write() / "variants" / "long_day.yaml")
    before, key = compute_content_hash(variant), program_cache.compute_key(variant)
    workspace.files["locale/ja.yaml"] = JA
    workspace.write()
    assert compute_content_hash(variant) == before
    assert program_cache.compute_key(variant) != key


def test_variant_brings_translations(workspace):
    workspace.files["locale/ja.yaml"] = JA
    workspace.spoil(
        "variants/long_day.yaml",
        "rules: |\n",
        "locale:\n  ja:\n    texts: {late: 遅い, '{u} halts': 止まれ}\n    names: {new: 新}\nrules: |\n",
    )
    locale = workspace.load("variants/long_day.yaml").good().locales["ja"]
    assert {k: v.text for k, v in locale.texts.items()} == {"{u} halts": "止まれ", "late": "遅い"}
    assert (locale.names["camp"].text, locale.names["new"].text) == ("陣営", "新")
    workspace.spoil("variants/long_day.yaml", "  ja:\n    texts", "  xx:\n    texts")
    assert workspace.load("variants/long_day.yaml").only("unknown-language").file == "two_hills/variants/long_day.yaml"


def test_name_of_text_may_contain_any_signs(workspace):
    workspace.files["locale/ja.yaml"] = JA.replace("names: {", "names: {'text.a long: way': 遠い道, ")
    assert "bad-name" not in workspace.load().codes
