// The start page: lessons, a new game, and the saved games.

import { address } from "./server.js";
import { make, tell } from "./making.js";
import { beginLesson } from "./lesson.js";
import { openGame } from "./seat_link.js";
import { fill } from "./texts.js";

const OPPONENTS = ["greedy", "random", "search", "human"]; // in the order in which they are offered

class Start {
  constructor(still, words) {
    Object.assign(this, { still, words, covers: new Map() });
    this.alert = document.getElementById("alert");
    this.side = make("section", { class: "start-setup", "aria-labelledby": "start-setup" });
    this.cards = make("div", { class: "start-cards", role: "group", "aria-label": words.start_games });
  }

  /** Run an action and show why it failed. */
  attempt(action) {
    return async () => {
      try {
        await action();
      } catch (fault) {
        this.alert.replaceChildren(make("p", { class: "warn" }, fault.message));
        this.alert.scrollIntoView({ block: "nearest" });
      }
    };
  }

  show(main) {
    const { still, words } = this;
    const left = make("div", { class: "start-main" }, ...this.lessons(), make("h2", {}, words.start_new), this.cards, ...this.saved());
    const heading = [make("h2", { class: "start-title" }, words.start_title), make("p", { class: "start-sub" }, words.start_sub)];
    main.className = "start";
    main.replaceChildren(this.alert, ...heading, make("div", { class: "start-columns" }, left, this.side));
    if (still.rulesets.length) this.choose(still.rulesets[0]);
  }

  /** Build the invitation to learn, with a button for each game that has a lesson. */
  lessons() {
    const taught = this.still.rulesets.filter((one) => one.lesson);
    if (!taught.length) return [];
    const row = ({ id, title, lesson }) => {
      const length = fill(this.words.start_lesson_length, { number: lesson.steps, minutes: lesson.minutes });
      const begin = this.attempt(() => beginLesson({ ruleset: id }));
      const button = make("button", { type: "button", class: "start-primary", "data-lesson": id, onclick: begin }, this.words.start_lesson);
      const told = make("p", {}, make("b", {}, fill(this.words.named, { what: title, values: lesson.title })), make("br"), lesson.about, " ", lesson.minutes ? length : "");
      return make("div", { class: "start-lesson" }, told, button);
    };
    return [make("section", { class: "start-learn" }, make("h2", {}, this.words.start_learn), ...taught.map(row))];
  }

  /** Select a game: mark its card and show how it can be set up. */
  choose(ruleset) {
    this.ruleset = ruleset;
    const card = (one) => {
      const isChosen = one === ruleset;
      const attributes = { type: "button", class: "start-card", "aria-pressed": String(isChosen), "data-ruleset": one.id };
      return make("button", { ...attributes, onclick: () => this.choose(one) }, this.cover(one), make("b", {}, one.title), make("span", {}, one.about));
    };
    const hadFocus = this.cards.contains(document.activeElement);
    this.cards.replaceChildren(...this.still.rulesets.map(card));
    if (hadFocus) this.cards.querySelector('[aria-pressed="true"]').focus();
    this.setUp(ruleset);
  }

  /** Return the picture of a game's map, made once. */
  cover({ id }) {
    const src = address(`/pictures/cover-${id}.svg`, { lang: this.words.lang });
    this.covers.set(id, this.covers.get(id) ?? make("img", { src, alt: "", width: 480, height: 220, loading: "lazy" }));
    return this.covers.get(id);
  }

  /** Show scenario, side and opponent, with the beginner's start chosen. */
  setUp(ruleset) {
    const { words } = this;
    const { first, seats, scenarios } = ruleset;
    const usual = first?.scenario ?? ruleset.scenario;
    const starts = [...scenarios].sort((a, b) => (b.id === usual) - (a.id === usual)).map(({ id, title, about }) => [id, title, about]);
    const scenario = this.radios(words.start_scenario, "scenario", starts, usual);
    const own = this.radios(words.start_side, "seat", seats.map(({ id, name }) => [id, name, ""]), first?.seat ?? seats[0].id);
    const players = OPPONENTS.filter((id) => ruleset.players.some((one) => one.id === id)).map((id) => [id, words[`start_${id}`], words[`start_${id}_told`]]);
    const other = this.radios(words.start_opponent, "opponent", players, first?.opponent ?? "greedy");
    const begin = this.attempt(() => {
      const [mine, theirs] = [own.value(), other.value()];
      const seated = Object.fromEntries(seats.map(({ id }) => [id, id === mine ? "human" : theirs]));
      return openGame("/api/open", { ruleset: ruleset.id, players: seated, scenario: scenario.value() });
    });
    const button = make("button", { type: "button", class: "start-primary", "data-begin": ruleset.id, onclick: begin }, words.start_begin);
    const why = first ? [make("p", { class: "start-why" }, make("b", {}, words.start_first), " ", first.why)] : [];
    const title = make("h2", { id: "start-setup" }, fill(words.start_set_up, { game: ruleset.title }));
    own.element.classList.add("start-short");
    const choices = make("div", { class: "start-choices", tabindex: "0", role: "group", "aria-labelledby": "start-setup" }, ...why, scenario.element, own.element, other.element);
    this.side.replaceChildren(title, choices, button);
  }

  /** Build a group of radio buttons: rows of id, title and description. */
  radios(title, name, rows, chosen) {
    const row = ([id, text, told]) => {
      const box = make("input", { type: "radio", name: `start-${name}`, value: id, checked: id === chosen });
      return make("label", {}, box, make("span", {}, make("b", {}, text), told ? make("small", {}, told) : null));
    };
    const element = make("fieldset", {}, make("legend", {}, title), ...rows.map(row));
    return { element, value: () => element.querySelector("input:checked")?.value ?? chosen };
  }

  /** List the saved games, the last one first. */
  saved() {
    const { still, words } = this;
    if (!still.games.length) return [make("h2", {}, words.start_continue), make("p", {}, words.start_no_games)];
    const when = new Intl.DateTimeFormat(words.lang, { dateStyle: "medium", timeStyle: "short" });
    const row = (game) => {
      const open = this.attempt(() => openGame("/api/open", { game: game.name }));
      const moved = make("time", { datetime: new Date(game.moved * 1000).toISOString() }, when.format(game.moved * 1000));
      const told = make("span", {}, make("b", {}, game.name), " ", game.told, " ", moved);
      const attributes = { type: "button", onclick: open, disabled: Boolean(game.problem), "aria-label": fill(words.named, { what: words.start_go_on, values: game.name }) };
      return make("li", {}, told, make("button", attributes, words.start_go_on));
    };
    return [make("h2", {}, words.start_continue), make("ul", { class: "start-saved" }, ...still.games.map(row))];
  }
}

/** Show the start page instead of a board. */
export function showStart(still, words) {
  document.documentElement.lang = words.lang;
  document.title = still.title;
  tell(document.getElementById("title"), still.title);
  document.getElementById("tools").hidden = true;
  document.getElementById("skip").remove(); // it leads to the orders of a game
  new Start(still, words).show(document.querySelector("main"));
}
