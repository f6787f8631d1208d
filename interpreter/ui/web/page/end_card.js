// The end of a game: the winner, the reason, the margin; the report, the replay and a new game.

import { get } from "./server.js";
import { draw, make } from "./making.js";
import { openGame } from "./seat_link.js";

const WIDE = 320;
const HIGH = 90;

export class EndCard {
  constructor({ words, still, sheet, replay }) {
    Object.assign(this, { words, sheet, replay });
    this.sides = new Map(still.sides.map((side, number) => [side.id, number]));
    this.dialog = make("dialog", { class: "end", "aria-labelledby": "end-title" });
    document.body.append(this.dialog);
  }

  /** Show the card once for each ended game. */
  async show(scene) {
    if (!scene.outcome.length) {
      this.shown = null;
      return;
    }
    if (this.shown === scene.choices) return;
    this.shown = scene.choices;
    const end = await get("/api/ask/ending").catch(() => null);
    if (end) this.open(end, scene);
  }

  open(end, scene) {
    const { words } = this;
    const own = scene.people.filter((seat) => seat.own).map((seat) => seat.seat);
    const mine = own.length === 1 ? (!end.winners.length ? words.drawn : end.winners.includes(own[0]) ? words.you_won : words.you_lost) : "";
    const winner = end.points.find(([seat]) => end.winners.includes(seat));
    const total = ([, name, side, points]) => make("div", { "data-side": side || null }, make("b", {}, points || "–"), make("small", {}, name));
    const told = end.reasons.map((line) => make("p", {}, line.text, ...this.sheet.cites(line.cite.slice(0, 2))));
    const hero = make(
      "div",
      { class: "hero", "data-side": winner?.[2] || null },
      make("div", {}, mine ? make("span", { class: "tag" }, mine) : null, make("h2", { id: "end-title", tabindex: "-1" }, end.title), end.lead ? make("p", { class: "lead" }, end.lead) : null, ...told),
      end.points.some(([, , , points]) => points) ? make("div", { class: "totals" }, ...end.points.map(total)) : null,
    );
    const columns = make("div", { class: "columns" }, this.sources(end), ...this.course(end), this.luck());
    const act = (text, run, look = "") => make("button", { type: "button", class: look, onclick: () => (this.dialog.close(), run()) }, text);
    const buttons = [
      act(words.full_report, () => this.sheet.ask("report", {}, words.report)),
      act(words.replay, () => this.replay.open()),
      act(words.look_at_map, () => {}, "quiet"),
      ...(scene.role === "host" ? [act(words.new_game, () => this.again(), "main")] : []),
    ];
    this.dialog.replaceChildren(make("div", { class: "end-body", tabindex: "0", role: "group", "aria-labelledby": "end-title" }, hero, columns), make("footer", {}, ...buttons));
    this.dialog.showModal();
    this.dialog.querySelector("h2").focus();
  }

  sources(end) {
    const told = end.sources.length ? this.bars(end) : end.counted.length ? this.sheet.lines(end.counted) : make("p", { class: "more" }, this.words.no_points);
    return make("section", { class: "end-sources" }, make("h3", {}, end.sources.length ? this.words.points_from : this.words.points_counted), told);
  }

  /** Return the table of the sources of points, with a bar for each seat; of two seats the first is on the left. */
  bars({ sources, points }) {
    const isPair = points.length === 2;
    const look = (n) => ({ "data-side": points[n][2] || null, class: isPair && n === 0 ? "points left" : "points" });
    const bar = (share) => {
      const drawn = make("i", { "aria-hidden": "true" });
      drawn.style.setProperty("--share", share);
      return drawn;
    };
    const inward = (n, number, drawn) => (isPair && n ? [drawn, number] : [number, drawn]); // the bars of a pair meet
    const cell = (one) => (n) => make("td", look(n), ...inward(n, make("b", {}, one.amounts[n]), one.shares[n] ? bar(one.shares[n]) : null));
    const around = (name, cells) => (isPair ? [cells[0], name, cells[1]] : [name, ...cells]);
    const numbers = points.map((_seat, n) => n);
    const rows = sources.map((one) => make("tr", {}, ...around(make("th", { scope: "row" }, one.label), numbers.map(cell(one)))));
    const heads = points.map(([, name], n) => make("th", { scope: "col", ...look(n) }, name));
    return make("table", { class: "bars" }, make("thead", {}, make("tr", {}, ...around(make("td", {}), heads))), make("tbody", {}, ...rows));
  }

  /** Return the section about luck, which is filled when the server has counted all rolls. */
  luck() {
    const all = make("button", { type: "button", class: "link", onclick: () => this.sheet.ask("luck", {}, this.words.luck) }, this.words.all_luck);
    const section = make("section", { class: "end-luck" }, make("h3", {}, this.words.luck), make("p", { class: "more" }, this.words.waiting));
    const show = ({ lines }) => section.lastChild.replaceWith(this.sheet.lines(lines), all);
    get("/api/ask/luck_summary").then(show, () => section.remove());
    return section;
  }

  /** Draw the points of each seat turn by turn. */
  course(end) {
    if (end.course.length < 2) return [];
    const values = end.course.flatMap(([, points]) => points);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const x = (n) => (WIDE * n) / (end.course.length - 1);
    const y = (value) => HIGH - (HIGH * (value - low)) / (high - low || 1);
    const look = (side) => ({ "data-side": side || null, class: this.sides.get(side) % 2 ? "odd" : "" });
    const lines = end.points.map(([, , side], seat) => {
      const d = end.course.map(([, points], n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(points[seat]).toFixed(1)}`).join("");
      return draw("path", { d, ...look(side) });
    });
    const key = ([, name, side]) => {
      const sample = draw("svg", { class: "course", viewBox: "0 0 28 4", "aria-hidden": "true" }, draw("path", { d: "M0 2H28", ...look(side) }));
      return make("span", {}, sample, name);
    };
    const turn = (n) => draw("text", { x: x(n) - 4, y: HIGH + 16 }, String(end.course[n][0]));
    const base = draw("line", { x1: 0, y1: HIGH, x2: WIDE, y2: HIGH });
    const drawing = draw("svg", { class: "course", viewBox: `-6 -6 ${WIDE + 16} ${HIGH + 26}`, role: "img", "aria-label": this.words.points_by_turn }, base, ...lines, turn(0), turn(end.course.length - 1));
    return [make("section", { class: "end-course" }, make("h3", {}, this.words.points_by_turn), drawing, make("p", {}, ...end.points.map(key)))];
  }

  async again() {
    try {
      await openGame("/api/again");
    } catch (fault) {
      this.sheet.open(this.words.new_game, make("p", { class: "warn" }, fault.message));
    }
  }
}
