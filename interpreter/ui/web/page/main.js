// Main controller of the page: fetch the scene, pass it to the views, send the player's choices.

import { Declined, base, get, post, seat } from "./server.js";
import { make, tell } from "./making.js";
import { LogView } from "./log_view.js";
import { MapView } from "./map_view.js";
import { Menu } from "./menu.js";
import { OrdersView } from "./orders_view.js";
import { PlanView } from "./plan_view.js";
import { Poll } from "./poll.js";
import { Replay } from "./replay.js";
import { Selection } from "./selection.js";
import { Sheet } from "./sheet.js";
import { TracksView } from "./tracks_view.js";
import { AskBox } from "./ask.js";
import { Lesson, beginLesson } from "./lesson.js";
import { showStart } from "./start.js";

const RETRY = 2000; // milliseconds before a silent server is asked again
const byId = (id) => document.getElementById(id);

class Page {
  constructor(words, still) {
    Object.assign(this, { words, still, scene: null, busy: false, acts: 0 });
    document.documentElement.lang = words.lang;
    document.title = still.title;
    tell(byId("title"), still.title);
    this.selection = new Selection(() => this.refresh());
    this.sheet = new Sheet({ words });
    const own = { words, still, selection: this.selection, sheet: this.sheet };
    const propose = (plan, all) => this.plan.propose(plan, all);
    this.map = new MapView(byId("map"), { ...own, propose });
    this.plan = new PlanView(byId("plan"), { ...own, map: this.map, carryOut: (plan) => this.carryOut(plan) });
    const choose = (option) => this.choose(option);
    this.orders = new OrdersView(byId("orders"), byId("beside"), { ...own, choose, plan: this.plan, map: this.map });
    this.log = new LogView(byId("log"), { ...own, map: this.map });
    this.tracks = new TracksView(byId("tracks"), own);
    this.replay = new Replay(byId("replay"), { words, look: (scene) => this.look(scene) });
    this.replay.count = () => this.scene.choices;
    const wrote = (notes) => (this.noted += notes);
    this.menu = new Menu(byId("menu"), { ...own, map: this.map, replay: this.replay, wrote });
    const takeUp = (key) => this.act("/api/choose", { key, version: this.scene.version });
    this.lesson = new Lesson({ ...own, map: this.map, act: (path, body) => this.act(path, body), choose: takeUp });
    this.ask = new AskBox(own);
    this.menu.add(byId("menu"), words.ask, () => this.ask.open());
    this.undo = make("button", { type: "button", onclick: () => this.back(false) }, words.undo);
    this.redo = make("button", { type: "button", onclick: () => this.again() }, words.redo);
    document.addEventListener("keydown", (event) => this.typed(event));
    const more = byId("more");
    more.querySelector("summary").textContent = words.more;
    byId("tools").prepend(this.undo, this.redo);
  }

  /** Fetch and show the current scene; drop answers that an action on this page has overtaken. */
  async fetch(...limits) {
    const { acts } = this;
    const scene = await get("/api/scene", {}, ...limits);
    if (acts === this.acts) this.show(scene);
  }

  /** Poll for the choices of others and show them. */
  listen() {
    const lost = (message) => this.alert(message ?? this.words.lost);
    const found = () => this.alert("");
    new Poll({ version: () => this.scene.version, fetch: (...limits) => this.fetch(...limits), lost, found }).run();
  }

  show(scene) {
    if (!scene) return;
    const isNew = scene.version !== this.scene?.version;
    this.scene = scene;
    if (this.replay.isOpen) return;
    if (isNew) {
      this.brief(scene);
      this.plan.clear();
      this.selection.forget(scene);
      this.menu.lay();
    }
    this.showHead(scene);
    this.refresh();
    this.log.show(scene);
    this.showLesson(scene);
    this.keepFocus();
  }

  /** Show the step of a lesson; where there is one to play, the menu offers it. */
  showLesson(scene) {
    this.lesson.show(scene);
    if (!scene.has_lesson || this.learn) return;
    const begin = () => beginLesson().catch((fault) => this.alert(fault.message));
    this.learn = this.menu.add(byId("menu"), this.words.learn, begin);
  }

  /** Show the briefing before the player's first choice, collapsed in a narrow window. */
  async brief(scene) {
    const briefing = byId("briefing");
    const watches = scene.role === "onlooker";
    briefing.hidden = scene.lesson ? true : watches ? scene.choices > 0 : scene.undo !== null;
    if (briefing.hidden || this.isBriefed) return;
    this.isBriefed = true;
    briefing.open = window.matchMedia("(min-width: 801px)").matches;
    const answer = await get("/api/ask/briefing").catch(() => null);
    if (!answer) return;
    briefing.querySelector("summary").textContent = answer.title;
    briefing.append(this.sheet.lines(answer.lines));
  }

  /** Restore the focus of a keyboard user after the pressed button has been removed. */
  keepFocus() {
    const isLost = !document.querySelector(":focus");
    if (!this.used || !isLost || !this.scene.may_choose) return;
    if (this.used === "plan") this.map.focus();
    else this.orders.focus();
    this.used = null;
  }

  showHead(scene) {
    tell(byId("heading"), scene.heading);
    const asked = scene.decision && !scene.waiting ? scene.decision.prompt : scene.waiting;
    tell(byId("prompt"), scene.outcome.length ? scene.outcome.join(" ") : asked || this.words.nothing);
    byId("prompt").classList.toggle("yours", scene.may_choose);
    tell(byId("scores"), scene.scores.map(([who, points]) => `${who} ${points}`).join(" · "));
    this.showNotices(scene);
    this.undo.disabled = !scene.undo;
    this.undo.title = scene.undo?.text ?? "";
    this.redo.disabled = !scene.redo;
    this.showTrack(scene);
    this.tracks.show(scene);
    document.body.dataset.version = scene.version;
  }

  /** What the server has to tell, and a note that others have written since this page was opened, until it is read. */
  showNotices(scene) {
    if (scene.notes > (this.noted ?? scene.notes)) this.freshNote = scene.last_note;
    this.noted = scene.notes ?? this.noted;
    const read = () => {
      this.freshNote = null;
      this.menu.notes();
      this.showNotices(this.scene);
    };
    const note = this.freshNote
      ? [make("p", {}, `${this.words.note_new} ${this.freshNote} `, make("button", { type: "button", onclick: read }, this.words.notes))]
      : [];
    byId("notices").replaceChildren(...scene.notices.map((text) => make("p", { class: "warn" }, text)), ...note);
  }

  showTrack(scene) {
    const now = scene.turn;
    const turn = ([number, name]) =>
      make("li", number === now ? { "aria-current": "step", title: name } : { title: name }, String(number));
    byId("track").setAttribute("aria-label", this.words.turns);
    if (this.shownTurn !== now) byId("track").replaceChildren(...scene.track.map(turn));
    this.shownTurn = now;
  }

  /** Show an earlier position, or with null the present one. */
  look(scene) {
    document.body.classList.toggle("looking-back", Boolean(scene));
    const shown = scene ?? this.scene;
    this.showHead(shown);
    this.map.show(shown);
    this.orders.show(shown);
    this.log.show(shown);
  }

  refresh() {
    if (!this.scene || this.replay.isOpen) return;
    this.map.show(this.scene);
    this.orders.show(this.scene);
    this.menu.follow();
    this.lesson?.look();
  }

  /** Handle global keyboard shortcuts, except while the player types text. */
  typed(event) {
    const isWriting = event.target.closest?.("input, select, textarea");
    if (document.querySelector("dialog[open]") || this.replay.isOpen || event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = {
      Escape: () => this.escape(),
      m: () => this.map.focus(),
      l: () => this.orders.focus(),
      n: () => this.map.nextAble(1),
      N: () => this.map.nextAble(-1),
      t: () => this.map.nextGoal(1),
      T: () => this.map.nextGoal(-1),
      o: () => this.menu.next(),
      x: () => this.plan.askOdds(),
      u: () => this.undo.disabled || this.back(false),
      r: () => this.redo.disabled || this.again(),
      "/": () => this.ask.open(),
      "?": () => this.menu.help(),
    };
    if ((isWriting && event.key !== "Escape") || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** Handle Escape: close the menu, discard the plan, or clear the selection. */
  escape() {
    const more = byId("more");
    if (more.open) {
      more.open = false;
      more.querySelector("summary").focus();
    } else if (this.plan.proposed) {
      this.plan.clear();
      this.map.focus();
    } else this.map.letGo();
  }

  alert(text, ...more) {
    byId("alert").replaceChildren(...(text ? [make("p", {}, text), ...more] : []));
  }

  async act(path, body) {
    if (this.busy) return;
    this.busy = true;
    this.acts += 1;
    const used = document.querySelector(":focus");
    if (used?.matches(":focus-visible")) this.used = used.closest("#orders, #plan, #alert")?.id;
    document.body.setAttribute("aria-busy", "true");
    try {
      this.show(await post(path, body));
      this.alert("");
    } catch (fault) {
      this.declined(fault, path, body);
    } finally {
      this.busy = false;
      document.body.removeAttribute("aria-busy");
    }
  }

  /** Say why something was not done; what can be done all the same has a button, which then has the focus. */
  declined(fault, path, body) {
    if (!(fault instanceof Declined)) return this.alert(this.words.lost);
    if (fault.code === "other-order") return this.lesson.refuse(fault.message);
    const more = fault.reasons.length ? [make("ul", {}, ...fault.reasons.map((text) => make("li", {}, text)))] : [];
    const anyway = {
      "come-out": [this.words.undo_anyway, { anyway: true }],
      confirm: [this.words.do_it, { careful: false }],
    }[fault.code];
    if (anyway) {
      const [text, how] = anyway;
      const doIt = () => this.act(path, { ...body, ...how });
      const again = make("button", { type: "button", class: "anyway", onclick: doIt }, text);
      const cancel = make("button", { type: "button", onclick: () => this.letBe() }, this.words.cancel);
      this.alert(fault.message, ...more, again, cancel);
      again.focus();
    } else this.alert(fault.message, ...more);
    this.fetch().catch(() => {});
  }

  /** Give up what was to be confirmed. */
  letBe() {
    this.alert("");
    this.orders.focus();
  }

  choose(option) {
    return this.act("/api/choose", { key: option.key, version: this.scene.version, careful: true });
  }

  carryOut(plan) {
    return plan.keys ? this.act("/api/choose", { keys: plan.keys, version: this.scene.version }) : this.choose(plan);
  }

  back(anyway) {
    return this.act("/api/undo", { anyway });
  }

  again() {
    return this.act("/api/redo", {});
  }
}

/** Show why the page cannot work, instead of a board. */
function explain(...lines) {
  byId("alert").replaceChildren(...lines.map((line) => make("p", {}, line)));
}

/** Return the answer to a query, retrying while the server is unreachable. */
async function patiently(words, ask) {
  for (;;) {
    try {
      return await ask();
    } catch (fault) {
      if (fault instanceof Declined) throw fault;
      explain(words.lost);
      await new Promise((go) => setTimeout(go, RETRY));
    }
  }
}

async function begin() {
  let words;
  try {
    words = await get("/api/words");
  } catch (fault) {
    byId("trouble").classList.add("now"); // shows possible causes
    return fault instanceof Declined ? explain(fault.message, ...fault.reasons) : explain();
  }
  byId("trouble").remove();
  document.documentElement.lang = words.lang;
  if (!words.origins.includes(location.origin)) {
    const here = `${location.origin}${base.pathname}`;
    return explain(...words.strange_address.split("\n").map((line) => line.replace("{address}", here)));
  }
  try {
    if (!seat) throw new Error(words.no_seat);
    const still = await patiently(words, () => get("/api/still"));
    explain();
    if (still.games) return showStart(still, words);
    const page = new Page(words, still);
    await page.fetch();
    page.listen();
  } catch (fault) {
    explain(fault.message);
  }
}

begin();
