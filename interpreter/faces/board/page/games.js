// The list of saved games, each with a link that opens it.

import { post } from "./server.js";
import { make, tell } from "./making.js";

/** Show the games instead of a board. */
export function showGames(still, words) {
  document.documentElement.lang = words.lang;
  document.title = still.title;
  tell(document.getElementById("title"), still.title);
  const main = document.querySelector("main");
  const alert = document.getElementById("alert");
  const open = (body) => async () => {
    try {
      location.assign((await post("/api/open", body)).path);
    } catch (fault) {
      alert.replaceChildren(make("p", {}, fault.message));
    }
  };
  const row = (game) =>
    make(
      "li",
      {},
      make("button", { type: "button", onclick: open({ game: game.name }), disabled: Boolean(game.problem) }, game.name),
      " ",
      game.told,
    );
  const fresh = (ruleset) => make("li", {}, make("button", { type: "button", onclick: open({ ruleset: ruleset.id }) }, ruleset.title));
  const section = (title, rows) => make("section", {}, make("h2", {}, title), make("ul", { class: "options" }, ...rows));
  main.className = "games";
  main.replaceChildren(alert, section(still.saved, still.games.map(row)), section(still.fresh, still.rulesets.map(fresh)));
}
