// Try a change: the charts of the game as cells that a visitor can change; the checker looks at what is changed.

import { config, interpreter } from "./interpreter.js";
import { reopen } from "./saves.js";

class ChangeForm {
  constructor(place, { words, el, ask, download, dialog }) {
    Object.assign(this, { place, words, el, ask, download, dialog });
    this.changes = new Map(); // the text of each changed cell
    this.fields = new Map();
  }

  async begin() {
    const { el, words } = this;
    this.place.replaceChildren(el("p", { role: "status" }, words.local_reading));
    const { charts } = await interpreter.ask("/api/charts");
    const options = charts.map((chart) => el("option", { value: chart.id }, chart.title));
    const chosen = el("select", {}, ...options);
    const grids = charts.map((chart) => this.grid(chart));
    const show = () => grids.forEach((grid, at) => (grid.hidden = at !== chosen.selectedIndex));
    chosen.addEventListener("change", show);
    show();
    this.findings = el("ul", { class: "local-findings", role: "status" });
    const actions = [
      this.dialog.button(words.local_check, () => this.check()),
      this.dialog.button(words.local_play_change, () => this.play(), { class: "local-primary" }),
      this.dialog.button(words.local_download_change, () => this.save()),
    ];
    const label = this.dialog.labelled(words.local_chart, chosen);
    this.place.replaceChildren(label, ...grids, this.findings, el("div", { class: "local-row" }, ...actions));
  }

  grid(chart) {
    const { el } = this;
    const head = el("tr", {}, ...chart.heads.map((text) => el("th", { scope: "col" }, text)));
    const row = ({ heads, cells }) => {
      const name = heads.join(", ");
      const firsts = heads.map((text) => el("th", { scope: "row" }, text));
      const boxes = cells.map((cell, at) => {
        const column = cells.length > 1 ? `, ${chart.heads[heads.length + at]}` : "";
        return el("td", {}, this.field(cell, `${chart.title}: ${name}${column}`));
      });
      return el("tr", {}, ...firsts, ...boxes);
    };
    return el("div", { class: "local-chart" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...chart.rows.map(row))));
  }

  field({ id, text }, name) {
    const field = this.el("input", { type: "text", value: text, "aria-label": name, "data-cell": id, autocomplete: "off" });
    this.fields.set(id, field);
    field.addEventListener("input", () => {
      const isChanged = field.value.trim() !== text;
      if (isChanged) this.changes.set(id, field.value);
      else this.changes.delete(id);
      field.classList.toggle("changed", isChanged);
      this.clear(field);
    });
    return field;
  }

  clear(field) {
    field.removeAttribute("aria-invalid");
    field.title = "";
  }

  /** Let the checker look at the changes; show each finding, at its cell where it has one. Return what it says. */
  async check() {
    const { el, words } = this;
    if (!this.changes.size) throw new Error(words.local_no_change);
    for (const field of this.fields.values()) this.clear(field);
    this.findings.replaceChildren(el("li", {}, words.local_checking));
    const found = await interpreter.ask("/api/check", { changes: Object.fromEntries(this.changes) }).finally(() => this.findings.replaceChildren());
    const told = found.findings.map(({ cell, message, help }) => {
      const text = help ? `${message}; ${help}` : message;
      const field = this.fields.get(cell);
      if (!field) return el("li", {}, text);
      field.setAttribute("aria-invalid", "true");
      field.title = text;
      const name = `${field.getAttribute("aria-label")}: `;
      return el("li", {}, el("button", { type: "button", onclick: () => this.point(field) }, name), text);
    });
    this.findings.replaceChildren(...(told.length ? told : [el("li", {}, words.local_sound)]));
    return found;
  }

  /** Show the chart of a cell, with the cell chosen. */
  point(field) {
    const grid = field.closest(".local-chart");
    const chosen = this.place.querySelector("select");
    chosen.selectedIndex = [...this.place.querySelectorAll(".local-chart")].indexOf(grid);
    chosen.dispatchEvent(new Event("change"));
    field.focus();
  }

  async sound() {
    const found = await this.check();
    if (!found.is_sound) throw new Error(this.words.local_unsound);
    return found;
  }

  async play() {
    const { variant } = await this.sound();
    this.findings.replaceChildren(this.el("li", {}, this.words.local_checking));
    const { now } = this.dialog.form;
    const { ruleset } = await interpreter.ask("/api/build", { variant });
    await interpreter.keepChange(variant);
    const { code } = await this.ask("POST", "/api/fresh", { ...now, ruleset });
    await reopen({ code, variant });
  }

  async save() {
    const { file } = await this.sound();
    this.download(file, `${config.id}-changed.yaml`, "application/yaml");
  }
}

/** Show the charts in a place of the dialog. */
export async function changeForm(place, tools) {
  const form = new ChangeForm(place, tools);
  tools.dialog.dialog.addEventListener("close", () => interpreter.endWorkshop(), { once: true });
  await form.begin();
}
