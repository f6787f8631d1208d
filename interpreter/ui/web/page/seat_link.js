// What the page shows without the token of a seat: where the link is found, and a field for it.

import { base, go, post } from "./server.js";
import { make, tell } from "./making.js";

/** Ask the server to open a game or a lesson, and go to its page. */
export async function openGame(path, body = {}) {
  go(new URLSearchParams((await post(path, body)).path).get("seat"));
}

/** Return the token in a link of this server, or "" if the text has none. */
function tokenOf(text) {
  const url = URL.canParse(text.trim(), base) ? new URL(text.trim(), base) : base;
  return url.searchParams.get("seat") || new URLSearchParams(url.hash.slice(1)).get("seat") || "";
}

/** Replace the board by a request for the link of a seat. */
export function askForLink(words) {
  const missing = make("p", { class: "warn", role: "alert" });
  const field = make("input", { type: "text", id: "seat-link", autocomplete: "off", spellcheck: "false" });
  const open = (event) => {
    event.preventDefault();
    const token = tokenOf(field.value);
    if (token) go(token);
    else tell(missing, words.no_seat_in_link);
  };
  const row = make("div", { class: "row" }, field, make("button", { type: "submit", class: "main" }, words.no_seat_open));
  const form = make("form", { class: "seat-link", onsubmit: open }, make("label", { for: "seat-link" }, words.no_seat_paste), row, missing);
  const main = document.querySelector("main");
  main.className = "start";
  main.replaceChildren(make("h2", { class: "start-title" }, words.no_seat_title), make("p", { id: "alert" }, words.no_seat), make("p", {}, words.no_seat_how), form);
}
