// The list of saved games, each with a link that opens it.

import { go, post } from "./server.js";
import { make, tell } from "./making.js";

/** A box that says who plays a seat: a person the first one, a program the others. */
function chooser(seat, players, number) {
  const usual = players[number && players.length > 2 ? 2 : 0].id;
  const options = players.map((one) => make("option", { value: one.id, selected: one.id === usual }, one.name));
  const box = make("select", {}, ...options);
  return { box, label: make("label", {}, `${seat.name} `, box) };
}

/** Show the games instead of a board. */
export function showGames(still, words) {
  document.documentElement.lang = words.lang;
  document.title = still.title;
  tell(document.getElementById("title"), still.title);
  const main = document.querySelector("main");
  const alert = document.getElementById("alert");
  const open = (body) => async () => {
    try {
      go(new URLSearchParams((await post("/api/open", body)).path).get("seat"));
    } catch (fault) {
      alert.replaceChildren(make("p", {}, fault.message));
    }
  };
  const when = new Intl.DateTimeFormat(words.lang, { dateStyle: "medium", timeStyle: "short" });
  const row = (game) =>
    make(
      "li",
      {},
      make("button", { type: "button", onclick: open({ game: game.name }), disabled: Boolean(game.problem) }, game.name),
      " ",
      game.told,
      " ",
      make("time", { datetime: new Date(game.moved * 1000).toISOString() }, when.format(game.moved * 1000)),
    );
  const fresh = (ruleset) => {
    const seats = ruleset.seats.map((seat, number) => [seat.id, chooser(seat, ruleset.players, number)]);
    const players = () => Object.fromEntries(seats.map(([id, { box }]) => [id, box.value]));
    const begin = () => open({ ruleset: ruleset.id, players: players() })();
    const button = make("button", { type: "button", onclick: begin }, `${still.begin}: ${ruleset.title}`);
    const row = make("div", { class: "row" }, button, ...seats.map(([, { label }]) => label));
    return make("li", { class: "fresh" }, row, make("p", { class: "preview" }, ruleset.about));
  };
  const section = (title, rows) => make("section", {}, make("h2", {}, title), make("ul", { class: "options" }, ...rows));
  main.className = "games";
  const saved = still.games.length ? [section(still.saved, still.games.map(row))] : [];
  document.getElementById("tools").hidden = true;
  main.replaceChildren(alert, ...saved, section(still.fresh, still.rulesets.map(fresh)));
}
