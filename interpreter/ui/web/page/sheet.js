// One dialog for all answers: lines with paragraphs that open the rule, charts with lit cells; one can go back.

import { get } from "./server.js";
import { make } from "./making.js";

export class Sheet {
  constructor({ words }) {
    this.words = words;
    this.title = make("h2", { tabindex: "-1" });
    this.body = make("div", { class: "sheet-body" });
    this.backward = make("button", { type: "button", onclick: () => this.goBack() }, words.back);
    const close = make("button", { type: "button", onclick: () => this.dialog.close() }, words.close);
    this.dialog = make("dialog", {}, make("div", { class: "sheet-head" }, this.title, this.backward, close), this.body);
    this.dialog.addEventListener("close", () => this.dialog.open || this.stop()); // it may be open again by then
    document.body.append(this.dialog);
    this.before = [];
  }

  stop() {
    this.asking?.abort();
    this.before = [];
  }

  /** Show elements under a title; what is shown now can be gone back to. */
  open(title, ...parts) {
    if (this.dialog.open) this.before.push([this.title.textContent, [...this.body.childNodes]]);
    this.set(title, parts);
  }

  set(title, parts) {
    this.title.textContent = title;
    this.body.replaceChildren(...parts);
    this.backward.hidden = !this.before.length;
    if (!this.dialog.open) this.dialog.showModal();
    this.title.focus();
    this.body.scrollTop = 0;
  }

  goBack() {
    const [title, parts] = this.before.pop();
    this.set(title, parts);
  }

  /** Ask the server and show its answer; closing the dialog, or asking for something else, gives it up. */
  async ask(what, params = {}, title = this.words.waiting) {
    this.asking?.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.open(title, make("p", { role: "note" }, this.words.waiting));
    try {
      const answer = await get(`/api/ask/${what}`, params, signal);
      this.set(answer.title, this.parts(answer));
    } catch (fault) {
      if (!signal.aborted) this.set(title, [make("p", { class: "warn" }, fault.message)]);
    }
  }

  parts(answer) {
    const grids = (answer.grids ?? []).map((grid) => this.grid(grid));
    const ours = answer.reconstructed ? [make("p", { class: "warn" }, this.words.reconstructed)] : [];
    const cite = answer.cite?.length ? [make("p", {}, ...this.cites(answer.cite))] : [];
    return [...ours, ...cite, ...grids, this.lines(answer.lines)];
  }

  /** Build a list of lines; adjacent rows of a table become one table. */
  lines(lines) {
    const rows = [];
    for (let at = 0; at < lines.length; at += 1) {
      const { depth, text, cite } = lines[at];
      const table = [];
      while (lines[at + table.length]?.cells?.length) table.push(lines[at + table.length].cells);
      const shown = table.length ? [this.table(table)] : [text, ...this.cites(cite)];
      rows.push(make("li", { class: `depth-${Math.min(4, depth)}` }, ...shown));
      at += Math.max(0, table.length - 1);
    }
    return make("ul", { class: "lines" }, ...rows);
  }

  table([heads, ...rows]) {
    const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
    const body = rows.map((cells) => make("tr", {}, ...cells.map((text) => make("td", {}, text))));
    return make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
  }

  /** Build buttons with the numbers of paragraphs that open them. */
  cites(numbers) {
    const button = (number) =>
      make("button", { type: "button", class: "cite", "data-cite": number, onclick: () => this.ask("rule", { id: number }, number) }, number);
    return numbers.flatMap((number) => [" ", button(number)]);
  }

  grid(grid) {
    const lit = new Set(grid.lit.map((at) => at.join()));
    const corner = grid.sides.length ? [make("th", { scope: "col" }, `${grid.down} / ${grid.across}`)] : [];
    const head = make("tr", {}, ...corner, ...grid.heads.map((text) => make("th", { scope: "col" }, text)));
    const rows = grid.cells.map((cells, row) => {
      const side = grid.sides.length ? [make("th", { scope: "row" }, grid.sides[row])] : [];
      return make("tr", {}, ...side, ...cells.map((text, column) => this.cell(text, lit.has(`${row},${column}`))));
    });
    const caption = grid.title ? [make("caption", {}, grid.title)] : [];
    const table = make("table", { class: "grid" }, ...caption, make("thead", {}, head), make("tbody", {}, ...rows));
    return make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": grid.title || grid.across }, table);
  }

  cell(text, isLit) {
    return make("td", isLit ? { class: "lit" } : {}, isLit ? make("mark", {}, text || "–") : text || "–");
  }
}
