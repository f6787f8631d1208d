// What a page without a server has besides the board: new games, saved games, links, and changes that are tried.

import { config, interpreter } from "./interpreter.js";
import { download, kept, linkTo, reopen, savedGames } from "./saves.js";
import { get, post } from "./server.js";
import { beginLesson } from "./lesson.js";
import { make } from "./making.js";
import { changeForm } from "./try_change.js";

const ENDING = ".journal";

class GameDialog {
  constructor(words, form) {
    Object.assign(this, { words, form });
    this.alert = make("p", { class: "local-alert", role: "alert" });
    this.body = make("div", {});
    this.body.className = "sheet-body";
    const close = make("button", { type: "button", onclick: () => this.dialog.close() }, words.close);
    const head = make("div", { class: "sheet-head" }, make("h2", { tabindex: "-1" }, words.local_game), close);
    this.dialog = make("dialog", { class: "local", "aria-label": words.local_game }, head, this.alert, this.body);
    document.body.append(this.dialog);
    const open = make("button", { type: "button", id: "local-open", onclick: () => this.open() }, words.local_game);
    (document.getElementById("tools") ?? document.querySelector("header") ?? document.body).prepend(open);
  }

  async open() {
    this.form = await get("/api/local");
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
    return make("label", { class: "local-field" }, make("span", { class: "local-label" }, text), field);
  }

  section(title, ...children) {
    return make("section", {}, make("h2", {}, title), ...children);
  }

  button(text, act, more = {}) {
    return make("button", { type: "button", onclick: () => this.attempt(act), ...more }, text);
  }

  // --- this game, as a link and as a file ------------------------------------------------------------

  linkSection() {
    const { words } = this;
    const last = this.form.now.choices;
    const count = make("input", { type: "number", min: "0", max: String(last), value: String(last), id: "local-choices" });
    const label = this.labelled(words.local_choices.replace("{last}", last), count);
    const field = make("input", { type: "text", readonly: true, "aria-label": words.local_link, class: "local-link", hidden: true });
    const show = async () => {
      const { code } = await get(`/api/code/${count.value}`);
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
      interpreter.isKept === false ? make("p", { class: "warn" }, words.local_not_kept) : "",
      make("p", {}, words.local_link_about),
      make("div", { class: "local-row" }, label, this.button(words.local_link, show), this.button(words.local_save_file, save)),
      field,
    );
  }

  /** Return what takes the place of link and file in a lesson, whose dice have no seed. */
  lessonSection() {
    const { words } = this;
    return this.section(words.local_this_game, make("p", {}, words.local_lesson_about));
  }

  // --- new games ---------------------------------------------------------------------------------------

  newSection() {
    const { words, form } = this;
    const scenario = this.select(form.scenarios, form.now.scenario);
    const about = make("p", { class: "local-about" });
    const options = form.options.map((option) => this.optionField(option));
    const seats = make("div", { class: "local-row" });
    const wanted = () => ({
      scenario: scenario.value,
      options: options.map((field) => field.wanted()).filter(Boolean),
      players: Object.fromEntries([...seats.querySelectorAll("select")].map((box) => [box.name, box.value])),
    });
    const follow = () =>
      this.attempt(async () => {
        about.textContent = form.scenarios.find((one) => one.id === scenario.value)?.about ?? "";
        const found = await post("/api/seats_for", wanted());
        seats.replaceChildren(...found.seats.map((seat) => this.seatField(seat)));
      });
    scenario.addEventListener("change", follow);
    for (const field of options) field.element.addEventListener("change", follow);
    follow();
    const start = async () => reopen({ code: (await post("/api/fresh", wanted())).code, variant: interpreter.opened.variant });
    return this.section(
      words.local_new_game,
      form.has_lesson ? this.button(words.learn, beginLesson) : "",
      form.scenarios.length > 1 ? this.labelled(words.local_scenario, scenario) : "",
      about,
      ...(form.options.length ? [make("details", {}, make("summary", {}, words.local_options), ...options.map((field) => field.element))] : []),
      seats,
      this.button(words.local_start, start, { class: "local-start local-primary" }),
    );
  }

  select(things, chosen, name = "") {
    const options = things.map((one) => make("option", { value: one.id, selected: one.id === chosen }, one.name));
    return make("select", { name }, ...options);
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
    const note = option.note ? make("small", {}, option.note) : "";
    if (option.is_flag) {
      const box = make("input", { type: "checkbox", checked: value === "on" });
      const text = { true: option.id, false: `${option.id}=off` };
      const wanted = () => (box.checked === (option.default === "on") ? "" : text[box.checked]);
      return { element: make("label", { class: "local-option" }, box, ` ${option.name} `, note), wanted };
    }
    const things = ["", ...option.values].map((one) => ({ id: one, name: one || "–" }));
    const box = this.select(things, value);
    const wanted = () => (box.value && box.value !== option.default ? `${option.id}=${box.value}` : "");
    return { element: make("label", { class: "local-option" }, `${option.name} `, box, " ", note), wanted };
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
      return make(
        "li",
        {},
        make("span", {}, `${told} (${words.local_choices_made.replace("{number}", choices)})`, make("time", { datetime: new Date(moved).toISOString() }, when.format(moved))),
        this.button(words.local_open, () => reopen({ save }), { disabled: isThis }),
        this.button(words.local_delete, remove, { disabled: isThis }),
      );
    };
    const file = make("input", { type: "file", accept: `${ENDING},.txt,text/plain`, id: "local-file" });
    file.addEventListener("change", () =>
      this.attempt(async () => reopen({ journal: await file.files[0].text(), variant: interpreter.opened.variant })),
    );
    return this.section(
      words.local_saves,
      saves.length ? make("ul", { class: "local-saves" }, ...saves.map(row)) : make("p", {}, words.local_no_saves),
      this.labelled(words.local_open_file, file),
    );
  }

  changeSection() {
    const { words } = this;
    const place = make("div", { class: "local-place" });
    const begin = () => changeForm(place, this);
    return this.section(words.local_change, make("p", {}, words.local_change_about), this.button(words.local_change, begin), place);
  }
}

async function begin() {
  const words = await get("/api/words");
  new GameDialog(words, null);
  const isFirst = !(await savedGames(config.id)).length;
  const { has_lesson: hasLesson, now } = await get("/api/local");
  if (isFirst && hasLesson && !now.choices) welcome(words);
}

/** Offer the lesson to a visitor who has no games yet, until the first choice. */
function welcome(words) {
  const start = make("button", { type: "button", class: "local-primary", onclick: () => beginLesson() }, words.start_lesson);
  const offer = make("div", { class: "local-welcome" }, make("span", {}, words.start_learn), start);
  document.querySelector("#panel-orders .scroll")?.prepend(offer);
  interpreter.listeners.add(function look() {
    const isBegun = document.body.classList.contains("learning") || interpreter.hasChosen;
    if (!isBegun) return;
    offer.remove();
    interpreter.listeners.delete(look);
  });
}

begin();
