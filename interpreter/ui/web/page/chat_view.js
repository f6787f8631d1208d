// The chat tab: the players with their seats, and their messages.

import { get, post } from "./server.js";
import { make, tell } from "./making.js";

export class ChatView {
  /** `wrote` is called with the number of messages that are written here. */
  constructor(element, { words, wrote }) {
    Object.assign(this, { element, words, wrote });
    this.people = make("ul", { class: "people" });
    this.list = make("div", { class: "msgs" });
    this.body = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": words.chat }, this.people, this.list);
    this.field = make("input", { type: "text", "aria-label": words.note, placeholder: words.note, maxlength: "2000" });
    this.fault = make("p", { class: "warn", role: "alert" });
    this.form = make("form", { onsubmit: (event) => this.send(event) }, this.field, make("button", { class: "main" }, words.send));
    element.append(this.body, this.fault, this.form);
  }

  /** Load the messages and the players present. */
  async show() {
    const [told, { seats }] = await Promise.all([get("/api/ask/messages"), get("/api/seats")]).catch(() => [[], { seats: [] }]);
    this.people.replaceChildren(...seats.map((seat) => this.person(seat)));
    const message = (one) => {
      const head = [one.by, one.where, one.made].filter(Boolean).join(", ");
      return make("div", { class: "msg", "data-side": one.side || null }, make("small", {}, head), make("p", {}, one.text));
    };
    this.list.replaceChildren(...(told.length ? told.map(message) : [make("p", { class: "more" }, this.words.no_messages)]));
    this.body.scrollTop = this.body.scrollHeight;
  }

  person(seat) {
    const here = seat.here === null ? "" : seat.here ? this.words.is_here : this.words.is_away;
    const who = [seat.player, here].filter(Boolean).join(" · ");
    const dot = make("i", { class: "dot", "aria-hidden": "true" });
    const rename = seat.own ? [make("button", { type: "button", class: "link", onclick: () => this.rename(seat) }, this.words.your_name)] : [];
    return make("li", { "data-side": seat.side || null }, dot, make("span", { class: "name" }, seat.name), make("small", {}, who), ...rename);
  }

  /** Ask for the player's name in place of the list entry. */
  rename(seat) {
    const field = make("input", { type: "text", maxlength: "40", value: seat.named ?? "", "aria-label": this.words.your_name });
    const keep = async (event) => {
      event.preventDefault();
      await this.try(() => post("/api/name", { name: field.value, seat: seat.seat }));
    };
    const form = make("form", { class: "row", onsubmit: keep }, field, make("button", {}, this.words.keep));
    this.people.replaceChildren(make("li", {}, form));
    field.focus();
  }

  async send(event) {
    event.preventDefault();
    const text = this.field.value;
    if (!text.trim()) return;
    this.wrote(1);
    const isSent = await this.try(() => post("/api/note", { text }));
    if (isSent) this.field.value = "";
    else this.wrote(-1);
  }

  /** Do something, say why if it is refused, and load the panel again. */
  async try(act) {
    tell(this.fault, "");
    try {
      await act();
      await this.show();
      return true;
    } catch (fault) {
      tell(this.fault, fault.message);
      return false;
    }
  }
}
