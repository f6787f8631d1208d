// The log beside the board: in a wide window it can stay open in a column of its own, whichever tab is shown.

import { make } from "./making.js";

const ROOMY = "(min-width: 1440px)"; // windows in which the map keeps half of the width beside two columns

export class SideLog {
  /** `log` is the view of the log, whose panel has a bar for the button. */
  constructor(panel, { words, log, tabs }) {
    Object.assign(this, { panel, log, tabs, isBeside: false });
    this.roomy = window.matchMedia(ROOMY);
    this.isWanted = history.state?.log === true; // survives a reload, like the seat
    this.button = make("button", { type: "button", class: "keep", "aria-pressed": String(this.isWanted), onclick: () => this.toggle() }, words.keep_open);
    panel.querySelector(".bar").append(this.button);
    this.follower = panel.nextElementSibling;
    this.roomy.addEventListener("change", () => this.lay());
    this.lay();
  }

  /** Open the log beside the board, or put it back among the tabs. */
  toggle() {
    this.isWanted = !this.isWanted;
    history.replaceState({ ...history.state, log: this.isWanted }, "");
    this.button.setAttribute("aria-pressed", this.isWanted);
    this.lay();
    if (!this.isWanted) this.tabs.open("log");
    this.button.focus();
  }

  /** Move the panel to where it belongs in a window of this width. */
  lay() {
    const isBeside = this.isWanted && this.roomy.matches;
    if (isBeside === this.isBeside) return;
    this.isBeside = isBeside;
    const side = this.follower.parentElement;
    if (isBeside) side.before(this.panel);
    else this.follower.before(this.panel);
    document.body.classList.toggle("log-beside", isBeside);
    this.tabs.pin("log", isBeside);
    this.log.toEnd();
  }
}
