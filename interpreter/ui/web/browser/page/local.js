// What a page without a server has besides the board: new games, saved games, links, and changes that are tried.

import { config, interpreter } from "./interpreter.js";
import { kept, linkTo, reopen, savedGames } from "./saves.js";
import { lang } from "./server.js";
import { beginLesson } from "./lesson.js";
import { changeForm } from "./try_change.js";

const ENDING = ".journal";

/** Create an element; a text stays text. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null && child !== ""));
  return element;
}

/** Ask the interpreter; throw an error with its message if it refuses. */
export async function ask(method, path, body = undefined) {
  const query = lang ? `lang=${lang}` : "";
  const answer = await interpreter.request(method, path, query, body === undefined ? "" : JSON.stringify(body));
  const data = JSON.parse(answer.body);
  if (answer.status >= 400) throw new Error(data.message);
  return data;
}

/** Let the visitor store a text as a file. */
export function download(text, name, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

class GameDialog {
  constructor(words, form) {
    Object.assign(this, { words, form });
    this.alert = el("p", { class: "local-alert", role: "alert" });
    this.body = el("div", {});
    this.body.className = "sheet-body";
    const close = el("button", { type: "button", onclick: () => this.dialog.close() }, words.close);
    const head = el("div", { class: "sheet-head" }, el("h2", { tabindex: "-1" }, words.local_game), close);
    this.dialog = el("dialog", { class: "local", "aria-label": words.local_game }, head, this.alert, this.body);
    document.body.append(this.dialog);
    const open = el("button", { type: "button", id: "local-open", onclick: () => this.open() }, words.local_game);
    (document.getElementById("tools") ?? document.querySelector("header") ?? document.body).prepend(open);
  }

  async open() {
    this.form = await ask("GET", "/api/local");
    this.tell("");
    const saves = await savedGames(config.id);
    this.body.replaceChildren(this.form.is_lesson ? this.lessonSection() : this.linkSection(), this.newSection(), this.savesSection(saves), this.changeSection());
    if (!this.dialog.open) this.dialog.showModal();
  }

  tell(text) {
    this.alert.textContent = text;
  }

  /** Do something; show why it failed. */
  async attempt(act) {
    this.tell("");
    try {
      await act();
    } catch (fault) {
      this.tell(fault.message);
    }
  }

  labelled(text, field) {
    return el("label", { class: "local-field" }, el("span", { class: "local-label" }, text), field);
  }

  section(title, ...children) {
    return el("section", {}, el("h2", {}, title), ...children);
  }

  button(text, act, more = {}) {
    return el("button", { type: "button", onclick: () => this.attempt(act), ...more }, text);
  }

  // --- this game, as a link and as a file ------------------------------------------------------------

  linkSection() {
    const { words } = this;
    const last = this.form.now.choices;
    const count = el("input", { type: "number", min: "0", max: String(last), value: String(last), id: "local-choices" });
    const label = this.labelled(words.local_choices.replace("{last}", last), count);
    const field = el("input", { type: "text", readonly: true, "aria-label": words.local_link, class: "local-link", hidden: true });
    const show = async () => {
      const { code } = await ask("GET", `/api/code/${count.value}`);
      field.value = await linkTo(code, interpreter.opened.variant);
      field.hidden = false;
      field.select();
      await navigator.clipboard?.writeText(field.value).then(() => this.tell(words.local_copied), () => {});
    };
    const save = async () => {
      const journal = await interpreter.save();
      download(journal, `${config.id}-${this.form.now.choices}${ENDING}`);
    };
    return this.section(
      words.local_this_game,
      interpreter.isKept === false ? el("p", { class: "warn" }, words.local_not_kept) : "",
      el("p", {}, words.local_link_about),
      el("div", { class: "local-row" }, label, this.button(words.local_link, show), this.button(words.local_save_file, save)),
      field,
    );
  }

  /** Return what takes the place of link and file in a lesson, whose dice have no seed. */
  lessonSection() {
    const { words } = this;
    return this.section(words.local_this_game, el("p", {}, words.local_lesson_about));
  }

  // --- new games ---------------------------------------------------------------------------------------

  newSection() {
    const { words, form } = this;
    const scenario = this.select(form.scenarios, form.now.scenario);
    const about = el("p", { class: "local-about" });
    const options = form.options.map((option) => this.optionField(option));
    const seats = el("div", { class: "local-row" });
    const wanted = () => ({
      scenario: scenario.value,
      options: options.map((field) => field.wanted()).filter(Boolean),
      players: Object.fromEntries([...seats.querySelectorAll("select")].map((box) => [box.name, box.value])),
    });
    const follow = () =>
      this.attempt(async () => {
        about.textContent = form.scenarios.find((one) => one.id === scenario.value)?.about ?? "";
        const found = await ask("POST", "/api/seats_for", wanted());
        seats.replaceChildren(...found.seats.map((seat) => this.seatField(seat)));
      });
    scenario.addEventListener("change", follow);
    for (const field of options) field.element.addEventListener("change", follow);
    follow();
    const start = async () => reopen({ code: (await ask("POST", "/api/fresh", wanted())).code, variant: interpreter.opened.variant });
    return this.section(
      words.local_new_game,
      form.has_lesson ? this.button(words.learn, beginLesson) : "",
      form.scenarios.length > 1 ? this.labelled(words.local_scenario, scenario) : "",
      about,
      ...(form.options.length ? [el("details", {}, el("summary", {}, words.local_options), ...options.map((field) => field.element))] : []),
      seats,
      this.button(words.local_start, start, { class: "local-start local-primary" }),
    );
  }

  select(things, chosen, name = "") {
    const options = things.map((one) => el("option", { value: one.id, selected: one.id === chosen }, one.name));
    return el("select", { name }, ...options);
  }

  seatField(seat) {
    const players = this.form.players.map(({ id }) => ({ id, name: this.playerName(id) }));
    return this.labelled(seat.name, this.select(players, seat.player, seat.id));
  }

  /** Return what kind of player this is, such as "search:50", in words. */
  playerName(id) {
    const [kind, budget] = id.split(":");
    if (kind === "human") return this.words.local_person;
    return this.words[`start_${kind}`] + (budget ? ` (${budget})` : "");
  }

  /** Return the field of an optional rule: `wanted()` is how it is written at the start of a game, "" for its default. */
  optionField(option) {
    const now = this.form.now.options.find((text) => text.split("=")[0] === option.id);
    const value = now === undefined ? option.default : (now.split("=")[1] ?? "on");
    const note = option.note ? el("small", {}, option.note) : "";
    if (option.is_flag) {
      const box = el("input", { type: "checkbox", checked: value === "on" });
      const text = { true: option.id, false: `${option.id}=off` };
      const wanted = () => (box.checked === (option.default === "on") ? "" : text[box.checked]);
      return { element: el("label", { class: "local-option" }, box, ` ${option.name} `, note), wanted };
    }
    const things = ["", ...option.values].map((one) => ({ id: one, name: one || "–" }));
    const box = this.select(things, value);
    const wanted = () => (box.value && box.value !== option.default ? `${option.id}=${box.value}` : "");
    return { element: el("label", { class: "local-option" }, `${option.name} `, box, " ", note), wanted };
  }

  // --- saved games -------------------------------------------------------------------------------------

  savesSection(saves) {
    const { words } = this;
    const when = new Intl.DateTimeFormat(words.lang, { dateStyle: "medium", timeStyle: "short" });
    const row = ({ save, told, choices, moved }) => {
      const isThis = save === interpreter.opened.save;
      const remove = async () => {
        await kept.delete(`${config.id}/saves/${save}`);
        await this.open();
      };
      return el(
        "li",
        {},
        el("span", {}, `${told} (${words.local_choices_made.replace("{number}", choices)})`, el("time", { datetime: new Date(moved).toISOString() }, when.format(moved))),
        this.button(words.local_open, () => reopen({ save }), { disabled: isThis }),
        this.button(words.local_delete, remove, { disabled: isThis }),
      );
    };
    const file = el("input", { type: "file", accept: `${ENDING},.txt,text/plain`, id: "local-file" });
    file.addEventListener("change", () =>
      this.attempt(async () => reopen({ journal: await file.files[0].text(), variant: interpreter.opened.variant })),
    );
    return this.section(
      words.local_saves,
      saves.length ? el("ul", { class: "local-saves" }, ...saves.map(row)) : el("p", {}, words.local_no_saves),
      this.labelled(words.local_open_file, file),
    );
  }

  changeSection() {
    const { words } = this;
    const place = el("div", { class: "local-place" });
    const begin = () => changeForm(place, { words, el, ask, download, dialog: this });
    return this.section(words.local_change, el("p", {}, words.local_change_about), this.button(words.local_change, begin), place);
  }
}

async function begin() {
  const words = await ask("GET", "/api/words");
  new GameDialog(words, null);
  const isFirst = !(await savedGames(config.id)).length;
  const { has_lesson: hasLesson, now } = await ask("GET", "/api/local");
  if (isFirst && hasLesson && !now.choices) welcome(words);
}

/** Offer the lesson to a visitor who has no games yet, until the first choice. */
function welcome(words) {
  const start = el("button", { type: "button", class: "local-primary", onclick: () => beginLesson() }, words.start_lesson);
  const offer = el("div", { class: "local-welcome" }, el("span", {}, words.start_learn), start);
  document.querySelector("#panel-orders .scroll")?.prepend(offer);
  interpreter.listeners.add(function look() {
    const isBegun = document.body.classList.contains("learning") || interpreter.hasChosen;
    if (!isBegun) return;
    offer.remove();
    interpreter.listeners.delete(look);
  });
}

begin();
