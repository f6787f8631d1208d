"""Locale documents: gathered by language, laid over by variants, no part of the game itself."""

from __future__ import annotations

import pytest

from interpreter.compiler import cache
from interpreter.documents.pipeline import content_hash

JA = """\
kind: locale
format: 1
language: ja
texts:
  "{u} halts": "{u}は止まる"
  not yet:
names: {camp: 陣営, ford: 浅瀬, hill: 山, fog: 霧}
"""


def test_a_locale_is_read(desk):
    desk.files["locale/ja.yaml"] = JA
    locale = desk.load().good().locales["ja"]
    assert {k: v.text for k, v in locale.texts.items()} == {"{u} halts": "{u}は止まる"}
    assert locale.names["camp"].span.file == "two_hills/locale/ja.yaml"
    assert locale.complete is None


def test_names_become_labels_where_there_are_none(desk):
    desk.files["locale/ja.yaml"] = JA
    rules = desk.load().good()
    assert rules.kinds["side"].attributes["camp"].label == {"en": "camp", "ja": "陣営"}
    assert rules.options["fog"].label["ja"] == "霧"
    places = {x.id: x.label for x in rules.kinds["place"].things}
    assert places["ford"]["ja"] == "浅瀬"
    assert places["hill"] == {"en": "The Hill", "ja": "丘"}, "a label of the documents comes first"


def test_files_of_one_language_come_together(desk):
    desk.files["locale/ja.yaml"] = JA
    desk.files["locale/more/ja2.yaml"] = """\
kind: locale
format: 1
language: ja
complete: true
texts: {stop: 止まれ}
names: {mud: 泥}
"""
    locale = desk.load().good().locales["ja"]
    assert list(locale.texts) == ["{u} halts", "stop"]
    assert "mud" in locale.names and "camp" in locale.names
    assert locale.complete is not None


def test_a_text_is_translated_once(desk):
    desk.files["locale/a.yaml"] = desk.files["locale/b.yaml"] = JA
    assert set(desk.load().codes) == {"defined-twice"}


def test_only_locales_lie_there(desk):
    desk.files["locale/map.yaml"] = "kind: tables\nformat: 1\nvalues: {secret: 1}\n"
    assert desk.load().only("not-a-locale").line == 1


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
def test_spoiled_locales(desk, old, new, code):
    desk.files["locale/ja.yaml"] = JA
    desk.spoil("locale/ja.yaml", old, new)
    assert code in desk.load().codes


def test_a_link_out_of_the_folder_is_not_followed(desk, tmp_path):
    secret = tmp_path / "secret.yaml"
    secret.write_text(JA, encoding="utf-8")
    (desk.write() / "locale").mkdir()
    (desk.folder / "locale" / "ja.yaml").symlink_to(secret)
    assert desk.load().codes == ["outside-folder"]


def test_translations_are_no_part_of_the_game_but_of_what_is_kept(desk):
    variant = str(desk.write() / "variants" / "long_day.yaml")
    before, key = content_hash(variant), cache.key_of(variant)
    desk.files["locale/ja.yaml"] = JA
    desk.write()
    assert content_hash(variant) == before
    assert cache.key_of(variant) != key


def test_a_variant_brings_translations(desk):
    desk.files["locale/ja.yaml"] = JA
    desk.spoil(
        "variants/long_day.yaml",
        "rules: |\n",
        "locale:\n  ja:\n    texts: {late: 遅い, '{u} halts': 止まれ}\n    names: {new: 新}\nrules: |\n",
    )
    locale = desk.load("variants/long_day.yaml").good().locales["ja"]
    assert {k: v.text for k, v in locale.texts.items()} == {"{u} halts": "止まれ", "late": "遅い"}
    assert (locale.names["camp"].text, locale.names["new"].text) == ("陣営", "新")
    desk.spoil("variants/long_day.yaml", "  ja:\n    texts", "  xx:\n    texts")
    assert desk.load("variants/long_day.yaml").only("unknown-language").file == "two_hills/variants/long_day.yaml"
