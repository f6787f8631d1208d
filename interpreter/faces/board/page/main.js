// Keeps the page and the game together: fetches the scene, hands it to the views, sends what is chosen.

import { Declined, get, post, seat } from "./server.js";
import { make, tell } from "./making.js";
import { MapView } from "./map_view.js";
import { OrdersView } from "./orders_view.js";
import { LogView } from "./log_view.js";
import { Selection } from "./selection.js";

const RETRY = 2000; // milliseconds until a server that does not answer is asked again
const byId = (id) => document.getElementById(id);

class Page {
  constructor(words) {
    this.words = words;
    this.scene = null;
    this.busy = false;
    this.selection = new Selection(() => this.refresh());
  }

  async begin() {
    this.still = await get("/api/still");
    document.documentElement.lang = this.words.lang;
    document.title = this.still.title;
    tell(byId("title"), this.still.title);
    const own = { words: this.words, still: this.still, selection: this.selection, choose: (o) => this.choose(o) };
    this.map = new MapView(byId("map"), own);
    this.orders = new OrdersView(byId("orders"), byId("beside"), own);
    this.log = new LogView(byId("log"), { ...own, map: this.map });
    this.tools();
    await this.fetch();
    this.listen();
  }

  tools() {
    this.undo = make("button", { type: "button", onclick: () => this.back(false) }, this.words.undo);
    this.redo = make("button", { type: "button", onclick: () => this.again() }, this.words.redo);
    byId("tools").append(this.undo, this.redo);
  }

  async fetch() {
    this.show(await get("/api/scene"));
  }

  /** Wait for news for as long as the page is seen. */
  async listen() {
    for (;;) {
      if (document.hidden) await new Promise((go) => document.addEventListener("visibilitychange", go, { once: true }));
      try {
        const { version } = await get("/api/news", { after: this.scene.version });
        if (version !== this.scene.version) await this.fetch();
        if (this.isLost) this.alert("");
        this.isLost = false;
      } catch (fault) {
        this.isLost = true;
        this.alert(fault instanceof Declined ? fault.message : this.words.lost);
        await new Promise((go) => setTimeout(go, RETRY));
      }
    }
  }

  show(scene) {
    if (!scene) return;
    const isNew = scene.version !== this.scene?.version;
    this.scene = scene;
    if (isNew) this.selection.forget(scene);
    tell(byId("heading"), scene.heading);
    const asked = scene.decision && !scene.waiting ? scene.decision.prompt : scene.waiting;
    tell(byId("prompt"), scene.outcome.length ? scene.outcome.join(" ") : asked || this.words.nothing);
    byId("prompt").classList.toggle("yours", scene.may_choose);
    this.undo.disabled = !scene.undo;
    this.undo.title = scene.undo?.text ?? "";
    this.redo.disabled = !scene.redo;
    this.refresh();
    this.log.show(scene);
  }

  refresh() {
    if (!this.scene) return;
    this.map.show(this.scene);
    this.orders.show(this.scene);
  }

  alert(text, ...more) {
    byId("alert").replaceChildren(...(text ? [make("p", {}, text), ...more] : []));
  }

  async act(path, body) {
    if (this.busy) return;
    this.busy = true;
    try {
      this.show(await post(path, body));
      this.alert("");
    } catch (fault) {
      this.declined(fault);
    } finally {
      this.busy = false;
    }
  }

  declined(fault) {
    if (!(fault instanceof Declined)) return this.alert(this.words.lost);
    const reasons = fault.reasons.map((text) => make("li", {}, text));
    const more = reasons.length ? [make("ul", {}, ...reasons)] : [];
    if (fault.code === "come-out") {
      more.push(
        make("button", { type: "button", onclick: () => this.back(true) }, this.words.undo_anyway),
        make("button", { type: "button", onclick: () => this.alert("") }, this.words.cancel),
      );
    }
    this.alert(fault.message, ...more);
    this.fetch().catch(() => {});
  }

  choose(option) {
    return this.act("/api/choose", { key: option.key, version: this.scene.version });
  }

  back(anyway) {
    return this.act("/api/undo", { anyway });
  }

  again() {
    return this.act("/api/redo", {});
  }
}

async function begin() {
  const words = await get("/api/words");
  if (!seat) {
    byId("alert").replaceChildren(make("p", {}, words.no_seat));
    return;
  }
  try {
    await new Page(words).begin();
  } catch (fault) {
    byId("alert").replaceChildren(make("p", {}, fault.message));
  }
}

begin();
