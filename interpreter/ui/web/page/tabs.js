// The tabs of the side bar. Every panel keeps its own place and scroll position.

import { icon } from "./icons.js";
import { make } from "./making.js";

export const NARROW = "(max-width: 640px)"; // windows in which the side bar lies over the map
export const SMALL = `${NARROW}, (max-height: 480px)`; // windows in which a card lies over the orders during a lesson

export class Tabs {
  /** `panels` are elements by name, in order; `opened` is called with a name when its panel is shown. */
  constructor(list, panels, words, opened = () => {}) {
    Object.assign(this, { list, panels: new Map(panels), opened });
    list.setAttribute("aria-label", words.panels);
    this.buttons = new Map();
    for (const [name, panel] of this.panels) {
      const attributes = { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": panel.id, onclick: () => this.press(name) };
      const button = make("button", attributes, icon(name), words[name]);
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", button.id);
      panel.prepend(make("h2", { class: "unseen" }, words[name]));
      this.buttons.set(name, button);
    }
    list.append(...this.buttons.values());
    list.addEventListener("keydown", (event) => this.handleKey(event));
    this.open("orders");
  }

  /** Open a tab; on a narrow window, pressing the open one folds the panel away. */
  press(name) {
    const isFolded = document.body.classList.contains("down");
    if (name === this.shown && !isFolded && window.matchMedia(NARROW).matches) document.body.classList.add("down");
    else this.open(name);
  }

  open(name) {
    document.body.classList.remove("down");
    if (name === this.shown || name === this.pinned || !this.panels.has(name)) return;
    this.shown = name;
    document.body.dataset.tab = name;
    for (const [other, panel] of this.panels) {
      const button = this.buttons.get(other);
      if (other === this.pinned) continue;
      panel.hidden = other !== name;
      button.setAttribute("aria-selected", other === name);
      button.tabIndex = other === name ? 0 : -1;
    }
    this.badge(name, "");
    this.opened(name);
  }

  /** Keep a panel open outside of the tabs, without a tab of its own, or put it back among them. */
  pin(name, isPinned) {
    if (isPinned && name === this.shown) this.open("orders");
    this.pinned = isPinned ? name : null;
    const panel = this.panels.get(name);
    panel.setAttribute("role", isPinned ? "region" : "tabpanel");
    panel.hidden = !isPinned && name !== this.shown;
    this.badge(name, "");
    this.buttons.get(name).hidden = isPinned;
  }

  /** Open the tab at a position, from 0, and focus it; focus the text of a panel that is open outside of the tabs. */
  openNth(number) {
    const name = [...this.panels.keys()][number];
    if (name) this.open(name);
    if (name && name === this.pinned) return this.panels.get(name).querySelector(".scroll").focus();
    this.buttons.get(name)?.focus();
  }

  /** Show a short text at a tab, or none for "". */
  badge(name, text) {
    const button = this.buttons.get(name);
    button.querySelector("sup")?.remove();
    if (text && name !== this.shown && name !== this.pinned) button.append(make("sup", {}, text));
  }

  /** Handle arrow keys, Home and End between tabs. */
  handleKey(event) {
    const names = [...this.panels.keys()].filter((name) => name !== this.pinned);
    const at = names.indexOf(this.shown);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + names.length, Home: 0, End: names.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const name = names[next % names.length];
    this.open(name);
    this.buttons.get(name).focus();
  }
}
