"""Turn signals of a page: the title of its tab, two tones, and a notification if allowed."""

from __future__ import annotations

import pytest

from tests.board.browsing import choose, until, version

RECORDING = """
window.heard = [];
window.told = [];
class Param { setValueAtTime() {} linearRampToValueAtTime() {} exponentialRampToValueAtTime() {} }
window.AudioContext = class { currentTime = 0; destination = {}; };
window.OscillatorNode = class {
  constructor(context, { frequency }) { this.frequency = frequency; }
  connect(next) { return next; }
  start(at) { heard.push([this.frequency, at]); }
  stop() {}
};
window.GainNode = class { gain = new Param(); connect(next) { return next; } };
window.Notification = class {
  static permission = "granted";
  constructor(title, { body }) {
    if (window.refuses) throw new TypeError("Illegal constructor");
    told.push([title, body]);
  }
};
Object.defineProperty(document, "hidden", { get: () => Boolean(window.away) });
"""


@pytest.mark.served
@pytest.mark.parametrize("refuses", [False, True])
def test_turn_is_signalled_by_sound_and_notification(lobby_server, open_page, refuses):
    """A browser that refuses notifications, as on phones, plays the sound and shows the new position."""
    links = lobby_server.addresses("napoleon", seed=3)
    mover, waiting = open_page(links["france"]), open_page(links["allies"])
    waiting.evaluate(RECORDING)
    waiting.evaluate("refuses => { window.refuses = refuses; }", refuses)
    waiting.get_by_role("button", name="Sound on").click()
    assert [pitch for pitch, _ in waiting.evaluate("heard")] == [659, 880], "switching it on lets one hear it"
    waiting.evaluate("() => { heard.length = 0; window.away = true; }")
    for _ in range(40):
        if waiting.evaluate("heard.length"):
            break
        choose(mover)
        until(waiting, "shown => document.body.dataset.version === shown", arg=version(mover))
    until(waiting, "() => document.querySelector('#prompt').classList.contains('yours')")
    assert len(waiting.evaluate("heard")) == 2
    assert waiting.evaluate("told") == ([] if refuses else [["Napoleon", "Your move"]])
    assert waiting.title() == "● Your move · Napoleon"
