// What a page without a server has besides the board: new games, saved games, links.

import { config, interpreter } from "./interpreter.js";

if (location.protocol.startsWith("http") && !document.querySelector("script[type=importmap]"))
  navigator.serviceWorker?.register("offline.js").catch(() => {}); // not in every frame
