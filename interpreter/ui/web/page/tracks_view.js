// The status tab: values of the game, its sides and other things of the ruleset.

import { draw, make } from "./making.js";

const BOXES = 12; // longer tracks are drawn as bars
const BOX = 9;
const SHEETS = ["score", "front", "roster", "ledger", "luck", "report"];

export class TracksView {
  constructor(element, { words, sheet }) {
    Object.assign(this, { element, words });
    this.parts = make("div", { class: "parts" });
    const ask = (what) => make("button", { type: "button", onclick: () => sheet.ask(what, {}, words[what]) }, words[what]);
    const asks = make("div", { class: "asks" }, ...SHEETS.map(ask));
    element.append(make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": words.status }, this.parts, asks));
  }

  show(scene) {
    if (scene.version === this.version) return;
    if (!this.before || !this.hasWaited) this.before = this.known;
    this.hasWaited = scene.waiting && scene.role !== "onlooker";
    this.version = scene.version;
    this.known = new Map();
    const open = new Set([...this.parts.querySelectorAll("details[open]")].map((one) => one.dataset.kind));
    this.parts.replaceChildren(...scene.tracks.map((sheet) => this.sheet(sheet, open)));
  }

  /** Show the values of the game and its sides; collapse other things. */
  sheet(sheet, open) {
    const shown = !sheet.kind ? this.row(sheet) : sheet.columns.length > 1 ? this.table(sheet) : this.column(sheet);
    if (!sheet.folds) return shown;
    return make("details", { "data-kind": sheet.kind, open: open.has(sheet.kind) }, make("summary", {}, sheet.title), shown);
  }

  /** List the game's values. */
  row(sheet) {
    const [, , tracks] = sheet.rows[0];
    return make("p", { class: "row" }, ...tracks.map((track, n) => this.named(sheet.columns[n], `/${sheet.columns[n]}`, track)));
  }

  /** List one value for each side or thing. */
  column(sheet) {
    const [column] = sheet.columns;
    const values = sheet.rows.map(([id, name, [track]]) => this.named(name, `${id}/${column}`, track));
    return make("p", { class: "row" }, make("span", { class: "what" }, column), ...values);
  }

  named(name, key, track) {
    return make("span", this.noted(key, track), `${name} `, ...this.told(track));
  }

  /** Build a table with a row for each side or thing. */
  table(sheet) {
    const heads = [sheet.title, ...sheet.columns].map((text) => make("th", { scope: "col" }, text));
    const cell = (id, track, n) =>
      track ? make("td", this.noted(`${id}/${sheet.columns[n]}`, track), ...this.told(track)) : make("td");
    const rows = sheet.rows.map(([id, name, tracks]) =>
      make("tr", {}, make("th", { scope: "row" }, name), ...tracks.map((track, n) => cell(id, track, n))),
    );
    return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  }

  told(track) {
    return [track.steps > 1 ? this.drawing(track) : null, make("span", {}, track.text)];
  }

  /** Mark values changed since the player's last choice (for an onlooker, since the last choice). */
  noted(key, track) {
    this.known.set(key, track.text);
    const isNew = this.before && this.before.get(key) !== track.text;
    return isNew ? { class: "changed" } : {};
  }

  /** Draw a track's boxes with the current one marked, or a progress bar for a long track. */
  drawing({ steps, at }) {
    const isShort = steps <= BOXES;
    const wide = isShort ? steps * BOX : BOXES * BOX;
    const rect = (x, width, name) => draw("rect", { x: x + 0.5, y: 0.5, width: width - 1, height: BOX - 1, class: name });
    const boxes = isShort
      ? Array.from({ length: steps }, (_, n) => rect(n * BOX, BOX, n === at ? "at" : "box"))
      : [rect(0, wide, "box"), ...(at ? [rect(0, (wide * at) / (steps - 1), "at")] : [])];
    return draw("svg", { class: "steps", width: wide, height: BOX, "aria-hidden": true }, ...boxes);
  }
}
