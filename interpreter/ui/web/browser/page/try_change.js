// Try a change: the charts of the game as cells that a visitor can change; the checker looks at what is changed.

import { config, interpreter } from "./interpreter.js";
import { make } from "./making.js";
import { download, reopen } from "./saves.js";
import { post } from "./server.js";

class ChangeForm {
  constructor(place, dialog) {
    Object.assign(this, { place, dialog, words: dialog.words });
    this.changes = new Map(); // the text of each changed cell
    this.fields = new Map();
  }

  async begin() {
    const { words } = this;
    this.place.replaceChildren(make("p", { role: "status" }, words.local_reading));
    const { charts } = await interpreter.ask("/api/charts");
    const options = charts.map((chart) => make("option", { value: chart.id }, chart.title));
    const chosen = make("select", {}, ...options);
    const grids = charts.map((chart) => this.grid(chart));
    const show = () => grids.forEach((grid, at) => (grid.hidden = at !== chosen.selectedIndex));
    chosen.addEventListener("change", show);
    show();
    this.findings = make("ul", { class: "local-findings", role: "status" });
    const actions = [
      this.dialog.button(words.local_check, () => this.check()),
      this.dialog.button(words.local_play_change, () => this.play(), { class: "local-primary" }),
      this.dialog.button(words.local_download_change, () => this.save()),
    ];
    const label = this.dialog.labelled(words.local_chart, chosen);
    this.place.replaceChildren(label, ...grids, this.findings, make("div", { class: "local-row" }, ...actions));
  }

  grid(chart) {
    const head = make("tr", {}, ...chart.heads.map((text) => make("th", { scope: "col" }, text)));
    const row = ({ heads, cells }) => {
      const name = heads.join(", ");
      const firsts = heads.map((text) => make("th", { scope: "row" }, text));
      const boxes = cells.map((cell, at) => {
        const column = cells.length > 1 ? `, ${chart.heads[heads.length + at]}` : "";
        return make("td", {}, this.field(cell, `${chart.title}: ${name}${column}`));
      });
      return make("tr", {}, ...firsts, ...boxes);
    };
    return make("div", { class: "local-chart" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...chart.rows.map(row))));
  }

  field({ id, text }, name) {
    const field = make("input", { type: "text", value: text, "aria-label": name, "data-cell": id, autocomplete: "off" });
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
    const { words } = this;
    if (!this.changes.size) throw new Error(words.local_no_change);
    for (const field of this.fields.values()) this.clear(field);
    this.findings.replaceChildren(make("li", {}, words.local_checking));
    const found = await interpreter.ask("/api/check", { changes: Object.fromEntries(this.changes) }).finally(() => this.findings.replaceChildren());
    const told = found.findings.map(({ cell, message, help }) => {
      const text = help ? `${message}; ${help}` : message;
      const field = this.fields.get(cell);
      if (!field) return make("li", {}, text);
      field.setAttribute("aria-invalid", "true");
      field.title = text;
      const name = `${field.getAttribute("aria-label")}: `;
      return make("li", {}, make("button", { type: "button", onclick: () => this.point(field) }, name), text);
    });
    this.findings.replaceChildren(...(told.length ? told : [make("li", {}, words.local_sound)]));
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
    this.findings.replaceChildren(make("li", {}, this.words.local_checking));
    const { now } = this.dialog.form;
    const { ruleset } = await interpreter.ask("/api/build", { variant });
    await interpreter.keepChange(variant);
    const { code } = await post("/api/fresh", { ...now, ruleset });
    await reopen({ code, variant });
  }

  async save() {
    const { file } = await this.sound();
    download(file, `${config.id}-changed.yaml`, "application/yaml");
  }
}

/** Show the charts in a place of the dialog. */
export async function changeForm(place, dialog) {
  const form = new ChangeForm(place, dialog);
  dialog.dialog.addEventListener("close", () => interpreter.endWorkshop(), { once: true });
  await form.begin();
}
