"""The interpreter's side of a page without a server: answers the requests that other pages send to a server.

Runs in a web worker. Only numbers and texts cross over to JavaScript, so that no object has to be released there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from interpreter.api.game_code import GameCode, decode_code, encode_code, encode_game
from interpreter.api.rules import Rules
from interpreter.i18n.translator import LocalizedError, Message, get_translator, list_languages, mark as _
from interpreter.players.narration.position_lines import render_heading
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.saves.recorder import build_header
from interpreter.ui.web.access_tokens import HOST, Requester
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.background_work import SentPosition, WorkerService
from interpreter.ui.web.bot_runner import BotRunner, BotTurn
from interpreter.ui.web.browser.local_game import (
    StartDefaults,
    decode_progress,
    encode_journal,
    encode_progress,
    resume_game,
    start_coded_game,
    start_game,
    start_lesson_game,
)
from interpreter.ui.web.browser.local_strings import list_page_strings
from interpreter.ui.web.browser.start_form import build_start_form, list_seats_for
from interpreter.ui.web.browser.worker_files import write_forms
from interpreter.ui.web.change_requests import CHANGES, parse_change
from interpreter.ui.web.error_messages import format_fault
from interpreter.ui.web.page_strings import build_page_words
from interpreter.ui.web.queries import MAX_ODDS_POSITIONS, ODDS_SAMPLES, QueryService
from interpreter.ui.web.refusals import build_failure
from interpreter.view_model.to_json import format_json

JSON, SVG, WORK = "application/json", "image/svg+xml", "work"
_GROUND, _ASK, _CODE = "/ground/", "/api/ask/", "/api/code/"


@dataclass(frozen=True, slots=True)
class SessionAnswer:
    """An answer to a request. A body of kind WORK is a job for the odds worker, which then answers the request."""

    status: int
    kind: str
    body: str


class BrowserSession:
    """A game in a page, played by its visitor and by bots.

    It begins with the game of a `code`, a `journal` or a `lesson` (its progress as plain data); if that does not fit
    the rules, a notice says so and a new game begins. `status` and `kind` are the HTTP status and the media type of the
    body that `call` returned last.
    """

    def __init__(
        self,
        rules: Rules,
        defaults: StartDefaults,
        lang: str = "",
        code: str = "",
        journal: str = "",
        lesson: Mapping[str, Any] | None = None,
    ) -> None:
        self.rules = rules
        self.defaults = defaults
        self.lang = lang
        self.status, self.kind = 200, JSON
        self._turn: BotTurn | None = None
        self.is_opened = True
        try:
            if lesson is not None:
                self.served = start_lesson_game(rules, decode_progress(lesson))
            elif journal:
                self.served = resume_game(rules, journal.encode(), get_translator(lang)(_("the saved game")))
            else:
                self.served = start_coded_game(rules, decode_code(code)) if code else start_game(rules, defaults)
        except (LocalizedError, RuleFault, IllegalAction) as problem:
            self.is_opened = False
            self.served = start_game(rules, defaults)
            self.served.notices.append(format_fault(problem))
        self.queries = QueryService(self.served)
        self._bot_runner = BotRunner(self.served)

    @property
    def version(self) -> str:
        """Return an id of the position."""
        return self.served.version

    # --- requests ------------------------------------------------------------------------------------

    def call(self, method: str, path: str, query: str, body: str) -> str:
        """Answer a request; return the body of the answer and set `status` and `kind`.

        The parameters are those of an HTTP request: its method, path, query string and body.
        """
        params = dict(parse_qsl(query, keep_blank_values=True))
        lang = self._choose_language(params.pop("lang", ""))
        try:
            answer = self._answer_request(path, params, lang, json.loads(body) if body else {})
        except Exception as error:
            refusal = build_failure(error, is_query=path.startswith(_ASK))
            answer = SessionAnswer(refusal.status, JSON, format_json(refusal.serialize(get_translator(lang))))
        self.status, self.kind = answer.status, answer.kind
        return answer.body

    def _choose_language(self, requested_lang: str) -> str:
        return requested_lang if requested_lang in list_languages() else self.lang

    def _answer_request(
        self, path: str, params: Mapping[str, str], lang: str, fields: Mapping[str, Any]
    ) -> SessionAnswer:
        """Answer a request; `params`: the parameters of its query, `fields`: the data of its body."""
        by, served, name = Requester(HOST, "", lang), self.served, path.rpartition("/")[2]
        if path.startswith(_GROUND):
            drawing = served.views.find_drawing(name.removesuffix(".svg"))
            if drawing is None:
                raise ApiError(404, "not-found", _("page not found"))
            return SessionAnswer(200, SVG, drawing.plain.decode())
        if path == f"{_ASK}odds":
            return self._compute_odds(params.get("key", ""), lang)
        if path.startswith(_CODE):
            return _build_json_answer({"code": self._build_code(name)})
        if path.startswith(_ASK):
            return _build_json_answer(self.queries.answer(name, params, by))
        match name:
            case "words":
                return _build_json_answer({**build_page_words(lang), **list_page_strings(lang)})
            case "still":
                return SessionAnswer(200, JSON, served.views.get_static_json(lang).decode())
            case "seats":
                return _build_json_answer({"seats": served.list_seat_rows(by), "links": []})
            case "local":
                return _build_json_answer(build_start_form(self.rules, served, lang))
            case "seats_for":
                return _build_json_answer(
                    {"seats": list_seats_for(self.rules, self.defaults, _parse_new_game(self.rules, fields), lang)}
                )
            case "fresh":
                return _build_json_answer({"code": self._build_fresh_code(fields)})
            case "again":
                header = build_header(served.game)
                code = GameCode(self.rules.id, "", header.scenario, header.options, None, dict(served.players))
                return _build_json_answer({"code": encode_code(code)})
            case "saved":
                return _build_json_answer(self._build_saved_data(lang))
            case "scene":
                pass
            case _ if name in CHANGES:
                served.apply(parse_change(name, fields, by), by)
            case _:
                raise ApiError(404, "not-found", _("page not found"))
        return SessionAnswer(200, JSON, served.get_scene(by).plain.decode())

    def _compute_odds(self, key: str, lang: str) -> SessionAnswer:
        """Return exact odds of the option with this key, or a job for a separate worker if they are slow."""
        odds, position = self.queries.compute_quick_odds(key, lang)
        if odds is not None:
            return _build_json_answer(odds)
        return SessionAnswer(
            200, WORK, format_json(_build_job("compute_odds", position, key, lang, MAX_ODDS_POSITIONS, ODDS_SAMPLES))
        )

    def _build_code(self, choices: str) -> str:
        """Return the code of the game, up to a number of choices (as text) if `choices` is not ''."""
        if self.served.lesson is not None:
            raise ApiError(409, "no-code", _("a lesson has no link; start a game of your own to send one"))
        most = int(choices) if choices.isascii() and choices.isdigit() else None
        return encode_code(encode_game(self.served.game, self.rules, self.served.players, most))

    def _build_fresh_code(self, fields: Mapping[str, Any]) -> str:
        """Return the game code, the text that links carry (`api.game_code`), of a new game.

        `fields`: the fields of the form for a new game. Raises SetupError if they are invalid.
        """
        code = _parse_new_game(self.rules, fields)
        self.rules.start(code.scenario or None, code.options, 0)
        return encode_code(code)

    def _build_saved_data(self, lang: str) -> dict[str, Any]:
        """Return the data that the page stores: a journal or, for a lesson, whose dice have no seed, its progress."""
        lesson, about = self.served.lesson, {"told": self.describe(lang), "choices": len(self.served.game.keys)}
        if lesson is not None:
            return {"lesson": encode_progress(lesson.course.get_progress()), **about}
        return {"journal": encode_journal(self.served).decode(), **about}

    def describe(self, lang: str) -> str:
        """Return the state of the game in one line, for the list of saved games."""
        localizer = self.served.views.get_localizer(lang)
        try:
            where = render_heading(self.served.game.view(), localizer)
        except RuleFault:
            where = localizer.say("turn {number}", number=self.served.game.turn)
        lesson = localizer.say("Lesson")
        return where if self.served.lesson is None else f"{lesson}: {where}"

    def write_generated_files(self, folder: str) -> str:
        """Write the compiled forms made since the last call into a folder; return their names, separated by blanks."""
        return write_forms(self.rules, folder)

    # --- bots ----------------------------------------------------------------------------------------

    def bot_work(self) -> str:
        """Return the next step for a bot: '' for none, "step" for a call of `bot_step`, else a job for its worker."""
        self._turn = self._bot_runner.find_turn()
        if self._turn is None:
            return ""
        if not self._bot_runner.needs_worker(self._turn.seat):
            return "step"
        return format_json(_build_job("choose", *self._bot_runner.list_worker_arguments(self._turn)))

    @property
    def has_thinkers(self) -> bool:
        """Return True if a bot of this game needs a separate worker, which the page can then start early."""
        return any(self._bot_runner.needs_worker(seat) for seat in self.served.bots)

    def bot_step(self) -> None:
        """Let the bot choose in this worker, if it is still its turn."""
        if self._turn is not None:
            self._bot_runner.run_turn()

    def drop_bot_turn(self) -> None:
        """Cancel the job of the bots' worker after the page has ended that worker.

        The bots of the next worker continue with the random numbers for the present decision.
        """
        self._turn = None
        self._bot_runner.restart_bots()

    def bot_answer(self, status: int, body: str) -> None:
        """Make the choice that the bots' worker has computed; the seat of a bot that failed passes to humans.

        `status`: the HTTP status of the answer; `body`: the number of the option, or the error, as JSON.
        """
        turn, self._turn = self._turn, None
        if turn is None:
            return
        if status == 200:
            self._bot_runner.make_choice(turn, int(json.loads(body)))
        else:
            self._bot_runner.replace_bot(turn.seat, SetupError(Message(json.loads(body)["message"])))


class BrowserThinker:
    """A second worker, in which bots choose or slow odds are computed."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.status = 200
        self._service = WorkerService(rules.target, rules)

    def call(self, job: str, lang: str) -> str:
        """Do a job and return its answer as JSON; set `status`."""
        self.status = 200
        try:
            method, position, *arguments = json.loads(job)
            return format_json(getattr(self._service, method)(SentPosition(**position), *arguments))
        except Exception as error:
            refusal = build_failure(error, is_query=True)
            self.status = refusal.status
            return format_json(refusal.serialize(get_translator(lang)))

    def write_generated_files(self, folder: str) -> str:
        """Write the compiled forms made since the last call into a folder; return their names, separated by blanks."""
        return write_forms(self.rules, folder)


def _build_job(method: str, position: SentPosition, *arguments: object) -> list[Any]:
    """Return a call of a method of `WorkerService` as JSON data, for `BrowserThinker.call`."""
    fields = {name: getattr(position, name) for name in SentPosition.__slots__}
    return [method, fields, *arguments]


def _parse_new_game(rules: Rules, fields: Mapping[str, Any]) -> GameCode:
    """Return the new game that a form asks for."""
    scenario, options, players = fields.get("scenario", ""), fields.get("options", ()), fields.get("players", {})
    return GameCode(
        str(fields.get("ruleset") or rules.id), "", str(scenario), tuple(map(str, options)), None, dict(players)
    )


def _build_json_answer(data: object) -> SessionAnswer:
    return SessionAnswer(200, JSON, format_json(data))
