"""Test that the parsed form of a file is cached for its newest text only."""

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.files import memory_cache
from interpreter.files.memory_cache import get_source, memoize_per_source, memoize_per_span


def test_unchanged_text_is_parsed_once_and_reports_each_time() -> None:
    read: list[str] = []

    @memoize_per_source
    def length(source: Source, sink: Sink) -> int:
        read.append(source.text)
        sink.add_error("long", "it is long", Span(source, 0, 1))
        return len(source.text)

    first, second = Sink(), Sink()
    assert length(get_source("a.yaml", "four"), first) == 4 == length(get_source("a.yaml", "four"), second)
    assert read == ["four"] and [d.code for d in first.items] == ["long"] == [d.code for d in second.items]
    assert length(get_source("b.yaml", "four"), Sink()) == 4 and read == ["four", "four"], "another file"
    assert length(get_source("a.yaml", "seven"), Sink()) == 5
    assert length(get_source("a.yaml", "four"), Sink()) == 4 and read == ["four", "four", "seven", "four"]


def test_older_texts_of_file_are_let_go() -> None:
    before = set(memory_cache._sources._entries)
    for text in ("a", "ab", "abc"):
        get_source("typed.rules", text)
    assert set(memory_cache._sources._entries) - before == {"typed.rules"}
    for number in range(2 * memory_cache._MAX_CACHED_FILES):
        get_source(f"{number}.rules", "")
    assert len(memory_cache._sources._entries) == memory_cache._MAX_CACHED_FILES


def test_span_of_unchanged_text_is_parsed_once() -> None:
    read: list[str] = []

    @memoize_per_span
    def words(source: Source, start: int, end: int, sink: Sink) -> str:
        read.append(source.text[start:end])
        sink.add_error("odd", "found", Span(source, start, end))
        return read[-1]

    text = get_source("at.rules", "some words")
    for _ in range(2):
        for start, end, told in ((0, 4, "some"), (5, 10, "words")):
            sink = Sink()
            assert words(text, start, end, sink) == told
            assert [(d.span.start, d.span.end) for d in sink.items] == [(start, end)]
    assert read == ["some", "words"]
    assert words(get_source("at.rules", "same words"), 0, 4, Sink()) == "same"
