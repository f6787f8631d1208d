// Main controller of the page: fetch the scene, pass it to the views, send the player's choices.

import { Declined, base, get, post, seat } from "./server.js";
import { make, tell } from "./making.js";
import { icon, iconButton } from "./icons.js";
import { CardView } from "./card_view.js";
import { ChartsView } from "./charts_view.js";
import { ChatView } from "./chat_view.js";
import { EndCard } from "./end_card.js";
import { HintView } from "./hint_view.js";
import { LogView } from "./log_view.js";
import { MapView } from "./map_view.js";
import { Menu } from "./menu.js";
import { OrdersView } from "./orders_view.js";
import { PlanView } from "./plan_view.js";
import { Poll } from "./poll.js";
import { Recap } from "./recap.js";
import { Replay } from "./replay.js";
import { RulesView } from "./rules_view.js";
import { SideLog } from "./side_log.js";
import { Selection } from "./selection.js";
import { Sheet } from "./sheet.js";
import { SMALL, Tabs } from "./tabs.js";
import { TogetherView } from "./together_view.js";
import { TopBar } from "./top_bar.js";
import { TracksView } from "./tracks_view.js";
import { paintSides } from "./colours.js";
import { AskBox } from "./ask.js";
import { Lesson, beginLesson } from "./lesson.js";
import { askForLink } from "./seat_link.js";
import { showStart } from "./start.js";
import { fill } from "./texts.js";

const LAST_PART = 99; // index of the last order that a choice led to: a lesson has described the earlier ones
const MOST_TRIED = 6; // cards that are asked for until one shows both sides
const RETRY = 2000; // milliseconds before a silent server is asked again
const ANSWERED = 1000; // milliseconds in which an action is usually answered, with the scene after it
const PANELS = ["orders", "log", "status", "charts", "rules", "chat"];
const IDS = { orders: "panel-orders", status: "tracks" }; // of panels that are not called like their tab
const byId = (id) => document.getElementById(id);

class Page {
  constructor(words, still) {
    Object.assign(this, { words, still, scene: null, busy: false, acts: 0 });
    document.documentElement.lang = words.lang;
    paintSides(still.sides);
    this.top = new TopBar(still, words);
    this.selection = new Selection(() => (this.plan.follow(), this.refresh()));
    this.sheet = new Sheet({ words });
    const own = { words, still, selection: this.selection, sheet: this.sheet };
    const propose = (plan, all) => this.propose(plan, all);
    this.map = new MapView(byId("map"), { ...own, propose });
    const withMap = { ...own, map: this.map };
    this.plan = new PlanView(byId("plan"), byId("peek"), byId("foot"), { ...withMap, carryOut: (plan) => this.carryOut(plan) });
    const choose = (option) => this.choose(option);
    this.orders = new OrdersView(byId("orders"), byId("beside"), byId("foot"), { ...withMap, choose, plan: this.plan });
    const send = (group, place) => this.act("/api/group", { ...group, place, version: this.scene.version });
    this.together = new TogetherView(byId("together"), { ...own, send });
    this.hint = new HintView(byId("hint"), { ...own, propose });
    byId("hint").before(this.hint.row);
    this.card = new CardView(byId("card"), withMap);
    this.log = new LogView(byId("log"), { ...withMap, openCard: (number) => this.card.open(number) });
    this.tracks = new TracksView(byId("tracks"), own);
    this.charts = new ChartsView(byId("charts"), own);
    this.rules = new RulesView(byId("rules"), own);
    this.chat = new ChatView(byId("chat"), { words, wrote: (notes) => (this.noted += notes) });
    const look = (scene) => this.look(scene);
    this.replay = new Replay(byId("replay"), { words, look });
    this.replay.count = () => this.scene.choices;
    this.recap = new Recap(byId("strip"), { ...withMap, card: this.card, look });
    this.card.recap = this.recap;
    this.end = new EndCard({ ...own, replay: this.replay });
    this.menu = new Menu(byId("menu"), { ...withMap, replay: this.replay });
    const panels = PANELS.map((name) => [name, byId(IDS[name] ?? name)]);
    this.tabs = new Tabs(byId("tabs"), panels, words, (name) => this.opened(name));
    new SideLog(byId("log"), { words, log: this.log, tabs: this.tabs });
    this.tools();
    const takeUp = (key) => this.act("/api/choose", { key, version: this.scene.version });
    const openTab = (name) => this.tabs.open(name);
    this.lesson = new Lesson({ ...withMap, plan: this.plan, act: (path, body) => this.act(path, body), choose: takeUp, openTab });
    this.ask = new AskBox(own);
    this.menu.add(byId("menu"), words.ask, () => this.ask.open());
    document.addEventListener("keydown", (event) => this.handleKey(event));
    this.map.svg.addEventListener("dblclick", () => this.plan.proposed && this.carryOut(this.plan.proposed, true));
  }

  tools() {
    this.undo = iconButton(this.words.undo, "undo", () => this.back());
    this.redo = iconButton(this.words.redo, "redo", () => this.again(), "extra");
    const summary = byId("more").querySelector("summary");
    summary.setAttribute("aria-label", this.words.more);
    summary.title = this.words.more;
    summary.append(icon("menu"));
    byId("tools").prepend(this.undo, this.redo, this.top.sound);
  }

  /** Load what a tab shows when it is opened. */
  opened(name) {
    if (name === "charts") this.charts.show();
    if (name === "rules") this.rules.load();
    if (name === "chat") this.chat.show();
    if (name === "log") this.log.toEnd();
  }

  propose(plan, all) {
    this.tabs.open("orders");
    this.plan.propose(plan, all);
  }

  /** Return whether an earlier position is shown. */
  get isLookingBack() {
    return this.replay.isOpen || this.recap.isOpen;
  }

  /** Fetch and show the current scene; drop answers that an action on this page has overtaken. */
  async fetch(...limits) {
    const { acts } = this;
    const scene = await get("/api/scene", {}, ...limits);
    if (acts === this.acts) this.show(scene);
  }

  /** Fetch the scene of an announced version, unless the answer to an action of this page is about to show it. */
  async follow(version, ...limits) {
    await Promise.race([this.acting, new Promise((go) => setTimeout(go, ANSWERED))]);
    if (version !== this.scene.version) await this.fetch(...limits);
  }

  /** Poll for the choices of others and show them. */
  listen() {
    const lost = (message) => this.alert(message ?? this.words.lost);
    const found = () => this.alert("");
    new Poll({ version: () => this.scene.version, fetch: (...announced) => this.follow(...announced), lost, found }).run();
  }

  show(scene) {
    if (!scene) return;
    const before = this.scene;
    const isNew = scene.version !== before?.version;
    this.scene = scene;
    if (isNew && this.recap.isOpen && scene.may_choose && !before?.may_choose) this.recap.leave();
    if (this.isLookingBack) return;
    if (isNew) {
      this.brief(scene);
      this.plan.clear();
      this.selection.forget(scene);
      this.menu.lay();
    }
    this.showHead(scene);
    this.refresh();
    this.log.show(scene);
    if (isNew) this.showOrderReport(scene);
    this.showLesson(scene);
    this.keepFocus();
    if (isNew) this.happened(scene, before);
  }

  /** Show which orders sent together were not made, with a button for the rest if they only need a confirmation. */
  showOrderReport(scene) {
    byId("report").replaceChildren();
    if (!scene.order_report) return;
    const { lines, more: rest } = scene.order_report;
    const orderRest = () => this.act("/api/group", { ...rest, version: this.scene.version });
    const button = rest && scene.may_choose ? [make("button", { type: "button", class: "anyway", onclick: orderRest }, this.words.order_rest)] : [];
    this.tabs.open("orders");
    byId("report").append(...lines.map((text) => make("p", {}, text)), ...button);
  }

  /** Show after a change what others did, the card of the last roll, and the end of the game. */
  async happened(scene, before) {
    if (before && scene.may_choose && (!scene.lesson || !before.may_choose)) this.map.seekAction();
    if (before && scene.lesson) this.followLesson(scene, before); // without waiting for what others did
    if (before?.may_choose && scene.choices > before.choices) this.chosen = before.choices;
    const hasOthers = await this.recap.load(scene);
    if (scene === this.scene) this.showLoud();
    this.end.show(scene);
    if (scene.outcome.length) return this.card.close();
    if (scene.lesson) return;
    if (!before || scene.choices <= before.choices || this.isLookingBack) return;
    const isOwn = before.may_choose;
    const choices = this.rolls(scene, before, hasOthers);
    this.opening = Promise.resolve(this.opening).then(() => this.openFirst(choices, isOwn)); // one after the other
    const isShown = await this.opening;
    if (!isShown && this.card.isOpen && isOwn) this.card.close(); // it is about an earlier order
    await this.card.update();
  }

  /** Show above the orders what happened since the player's last choice that nobody may miss. */
  showLoud() {
    const texts = this.recap.loudSince(this.chosen ?? 0);
    byId("report").prepend(...texts.map((text) => make("p", { class: "loud", role: "alert" }, text)));
  }

  /** Open the card of the order that the step of a lesson asked for; close it when a step is about something else. */
  async followLesson(scene, before) {
    if (scene.version === before.version) return;
    if (!this.card.isOpen || !this.lesson.isAbout(this.card.card.places)) this.card.close();
    const isFree = scene.lesson.asks === "read" || !window.matchMedia(SMALL).matches; // else the card lies over the orders
    if (scene.choices > before.choices && isFree) await this.openFirst(this.rolls(scene, before, false), true, LAST_PART);
  }

  /**
   * Return the choices with dice since another position, offered as cards: after an order of the viewer
   * from that order on, because other seats may have rolled since; otherwise the latest first.
   */
  rolls(scene, before, hasOthers) {
    const since = (number) => number > before.choices;
    const logged = [...new Set(scene.log.filter((line) => line.kind === "roll").map((line) => line.choice))].filter(since);
    if (before.may_choose) return logged;
    const others = hasOthers ? [this.recap.lastDice()].filter(since) : [];
    return [...new Set([...logged.reverse(), ...others])];
  }

  /**
   * Open the card of the first of some choices in which two sides fought; return whether there is one. The card of one's
   * own order stays open while others act.
   */
  async openFirst(choices, isOwn, part = 0) {
    if (!isOwn && this.card.isOpen && this.isOwnCard) return true;
    for (const choice of choices.slice(0, MOST_TRIED)) {
      if (await this.card.open(choice, { onlyTwoSided: true, focus: false, part })) {
        this.isOwnCard = isOwn;
        return true;
      }
    }
    return false;
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
    this.top.show(scene);
    const asked = scene.decision && !scene.waiting ? scene.decision.prompt : scene.waiting;
    tell(byId("prompt"), scene.outcome.length ? scene.outcome.join("\n") : asked || this.words.nothing);
    byId("prompt").classList.toggle("yours", scene.may_choose);
    this.showNotices(scene);
    this.undo.disabled = !scene.undo;
    this.undo.title = scene.undo ? fill(this.words.named, { what: this.words.undo, values: scene.undo.text }) : this.words.undo_nothing;
    this.redo.disabled = !scene.redo;
    this.tracks.show(scene);
    this.hint.show(scene);
    document.body.dataset.version = scene.version;
  }

  /** Show the notices of the server, and mark the chat tab if others have written since it was open. */
  showNotices(scene) {
    byId("notices").replaceChildren(...scene.notices.map((text) => make("p", { class: "warn" }, text)));
    const fresh = (scene.notes ?? 0) - (this.noted ?? scene.notes ?? 0);
    if (fresh > 0) {
      this.unread = (this.unread ?? 0) + fresh;
      if (this.tabs.shown === "chat") this.chat.show();
      else this.tabs.badge("chat", String(this.unread));
    }
    if (this.tabs.shown === "chat") this.unread = 0;
    this.noted = scene.notes ?? this.noted;
  }

  /** Show an earlier position, or with null the present one. */
  look(scene) {
    document.body.classList.toggle("looking-back", Boolean(scene));
    const shown = scene ? { ...scene, people: this.scene.people, against: this.scene.against, role: this.scene.role } : this.scene;
    this.showHead(shown);
    this.map.show(shown);
    this.orders.show(shown);
    this.log.show(shown);
    if (!scene) this.refresh();
  }

  refresh() {
    if (!this.scene || this.isLookingBack) return;
    this.map.show(this.scene);
    this.orders.show(this.scene);
    this.together.show(this.scene);
    this.menu.follow();
    this.lesson?.look();
    if (!this.selection.isEmpty) this.tabs.open("orders");
  }

  /** Handle global keyboard shortcuts, except while the player types text. */
  handleKey(event) {
    const isWriting = event.target.closest?.("input, select, textarea");
    if (event.defaultPrevented || document.querySelector("dialog[open]") || this.replay.isOpen) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isWriting && !this.undo.disabled) {
      event.preventDefault();
      this.back();
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
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
      b: () => this.card.showPrevious(),
      B: () => this.card.step(1),
      h: () => this.scene.may_choose && this.hint.ask(),
      p: () => this.recap.items.length && this.recap.toggle(),
      "[": () => this.plan.turnBy(-1),
      "]": () => this.plan.turnBy(1),
      u: () => this.undo.disabled || this.back(false),
      r: () => this.redo.disabled || this.again(),
      "/": () => this.ask.open(),
      "?": () => this.menu.help(),
    };
    for (let number = 0; number < PANELS.length; number += 1) keys[number + 1] = () => this.tabs.openNth(number);
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
    } else if (this.recap.isOpen) this.recap.leave();
    else if (this.card.isOpen) this.card.close();
    else this.map.deselect();
  }

  alert(text, ...more) {
    byId("alert").replaceChildren(...(text ? [make("p", {}, text), ...more] : []));
  }

  async act(path, body) {
    if (this.busy) return;
    this.busy = true;
    this.acts += 1;
    const used = document.querySelector(":focus");
    if (used?.matches(":focus-visible")) this.used = used.closest("#orders, #foot, #plan, #alert, #report")?.id;
    if (used?.matches(".do-it")) this.used = this.used && "plan";
    document.body.setAttribute("aria-busy", "true");
    const answer = post(path, body);
    this.acting = answer.catch(() => {});
    try {
      const scene = await answer;
      this.alert("");
      this.show(scene);
    } catch (fault) {
      this.declined(fault, path, body);
    } finally {
      this.busy = false;
      this.acting = null;
      document.body.removeAttribute("aria-busy");
    }
  }

  /** Show why an action was refused; if it only needs a confirmation, add a button for that and focus it. */
  declined(fault, path, body) {
    if (!(fault instanceof Declined)) return this.alert(this.words.lost);
    if (fault.code === "other-order") return this.lesson.refuse(fault.message);
    this.tabs.open("orders");
    const more = fault.reasons.length ? [make("ul", {}, ...fault.reasons.map((text) => make("li", {}, text)))] : [];
    const how = { "come-out": { anyway: true }, confirm: { careful: false } }[fault.code];
    if (how) {
      const [yes, no] = fault.answers;
      const doIt = () => this.act(path, { ...body, ...how });
      const again = make("button", { type: "button", class: "anyway", onclick: doIt }, yes);
      const cancel = make("button", { type: "button", onclick: () => this.cancelConfirmation() }, no);
      this.plan.hidePeek(); // it shows the same reasons
      this.alert(fault.message, ...more, again, cancel);
      again.focus();
      this.addChances(body, again);
    } else this.alert(fault.message, ...more);
    this.fetch().catch(() => {});
  }

  /** Add what is known of the results of an order to the question about it, in front of its button. */
  async addChances({ key, keys = [key] }, button) {
    if (!keys[0] || keys.length > 2) return;
    const [after, last] = keys.length > 1 ? keys : ["", ...keys]; // the second choice depends on the first
    const answer = await get("/api/ask/preview", { key: last, after }).catch(() => null);
    if (answer && button.isConnected) button.before(...answer.lines.map((line) => make("p", {}, line)));
  }

  /** Give up an order that was to be confirmed. */
  cancelConfirmation() {
    this.alert("");
    this.orders.focus();
  }

  choose(option, careful = true) {
    return this.act("/api/choose", { key: option.key, version: this.scene.version, careful });
  }

  /** Carry out a plan. Its dice have been shown beside it, unless the player was too fast to read them. */
  carryOut(plan, isHasty = false) {
    const { version } = this.scene;
    if (plan.group) return this.act("/api/group", { ...plan.group, version });
    if (plan.keys) return this.act("/api/choose", { keys: plan.keys, version, careful: isHasty && !plan.isGroup && !plan.isAhead });
    return this.choose(plan, isHasty || !plan.isAsked);
  }

  back() {
    return this.act("/api/undo", {});
  }

  again() {
    return this.act("/api/redo", {});
  }
}

/** Show why the page cannot work, instead of a board. */
function showProblem(...lines) {
  byId("alert").replaceChildren(...lines.map((line) => make("p", {}, line)));
}

/** Return the answer to a query, retrying while the server is unreachable. */
async function retryUntilReachable(words, ask) {
  for (;;) {
    try {
      return await ask();
    } catch (fault) {
      if (fault instanceof Declined) throw fault;
      showProblem(words.lost);
      await new Promise((go) => setTimeout(go, RETRY));
    }
  }
}

/** Send a request before its answer is needed; a failure is reported where it is awaited. */
function requestEarly(path) {
  const answer = get(path);
  answer.catch(() => {});
  return answer;
}

async function begin() {
  let words;
  let asked = seat ? requestEarly("/api/still") : null;
  try {
    words = await get("/api/words");
  } catch (fault) {
    byId("trouble").classList.add("now"); // shows possible causes
    return fault instanceof Declined ? showProblem(fault.message, ...fault.reasons) : showProblem();
  }
  byId("trouble").remove();
  document.documentElement.lang = words.lang;
  if (!words.origins.includes(location.origin)) {
    const here = `${location.origin}${base.pathname}`;
    return showProblem(...words.strange_address.split("\n").map((line) => fill(line, { address: here })));
  }
  try {
    if (!seat) return askForLink(words);
    const still = await retryUntilReachable(words, () => {
      const answer = asked ?? get("/api/still");
      asked = null;
      return answer;
    });
    showProblem();
    if (still.games) return showStart(still, words);
    const scene = requestEarly("/api/scene"); // the server builds it while the page is built
    const page = new Page(words, still);
    page.show(await scene);
    page.listen();
  } catch (fault) {
    showProblem(fault.message);
  }
}

begin();
