// Starts the interpreter in a web worker, passes requests to it, and keeps the game in the browser.

import { isOneFile, keepFiles, loadFiles, loadMore, unpack } from "./files.js";
import { LESSON, keep, kept, keptFiles, newSave, openedGame } from "./saves.js";
import { SideWorker } from "./side_worker.js";

/** Data that the export wrote into the page. */
export const config = JSON.parse(document.getElementById("grognard-config").textContent);

const CHANGES = ["/api/choose", "/api/group", "/api/lesson"];
const PICTURE = /^game\/picture-([0-9a-f]{24}\.(\w+))\.gz$/; // a scan, by a digest of its content
const SAVE_PAUSE = 250; // milliseconds from a change to its saving, so that many at once are saved once
const byId = (id) => document.getElementById(id);

/** The language of the page before the interpreter runs: requested, exported, or preferred by the browser. */
function language() {
  const asked = [new URL(location.href).searchParams.get("lang"), config.lang, ...navigator.languages.map((code) => code.split("-")[0])];
  return asked.find((code) => code && code in config.words) ?? "en";
}
export const words = config.words[language()];

/** Return a short digest (64-bit FNV-1a in two halves): a page on a disk has no cryptography of the browser. */
function digestOf(bytes) {
  let found = 0xcbf29ce484222325n;
  for (const byte of bytes) found = BigInt.asUintN(64, (found ^ BigInt(byte)) * 0x100000001b3n);
  return found.toString(16);
}

class Interpreter {
  constructor() {
    this.number = 0;
    this.waiting = new Map();
    this.listeners = new Set();
    this.version = "";
    this.pictures = new Map(); // URLs by the names that scenes contain
    const beside = (heard) => this.makeWorker("thinker", heard);
    this.bots = new SideWorker(beside, (job, status, body) => this.worker.postMessage({ thought: { job, status, body } }));
    this.odds = new SideWorker(beside, (id, status, body) => this.settle({ id, status, kind: "application/json", body }));
    this.ready = new Promise((done) => (this.isReady = done));
    this.begin().catch((fault) => this.fail(fault));
  }

  async begin() {
    this.opened = await openedGame(config.id);
    this.files = await loadFiles(config, (done, all) => this.progress(done, all));
    this.progress(null);
    await this.showPictures();
    this.place = this.formsKey(this.opened.variant);
    this.forms = await keptFiles(this.place);
    if (this.opened.variant && !this.forms["checked.json"]) await this.keepForms(await this.build(this.opened.variant));
    this.worker = await this.makeWorker("board", (data) => this.heard(data));
    this.worker.onerror = (event) => this.fail(event.message);
  }

  /** Make URLs of the pictures among the files. */
  async showPictures() {
    for (const name of Object.keys(this.files)) {
      const [, picture, kind] = name.match(PICTURE) ?? [];
      if (!picture) continue;
      const type = `image/${kind}`;
      this.pictures.set(picture, URL.createObjectURL(new Blob([await unpack(this.files[name]).arrayBuffer()], { type })));
    }
  }

  /** Return where compiled rules are kept: by the export and by the change that is played. */
  formsKey(variant) {
    return `${config.id}/forms/${digestOf(new TextEncoder().encode(`${config.key} ${variant}`))}`;
  }

  // --- changes that are tried: a worker of their own reads and checks documents -----------------------

  /** Ask the workshop, which is started at the first question. */
  async ask(path, body = {}) {
    this.workshop ??= this.makeWorkshop();
    return (await this.workshop).ask(path, body);
  }

  async makeWorkshop() {
    this.files = await loadMore(config.later, this.files);
    const waiting = new Map();
    const heard = (data) => {
      if (data.fault) return this.fail(data.fault);
      if (data.made) this.made = data.made;
      else {
        waiting.get(data.id)?.(data);
        waiting.delete(data.id);
      }
    };
    const worker = await this.makeWorker("workshop", heard);
    const ask = async (path, body) => {
      const id = ++this.number;
      const { status, body: text } = await new Promise((done) => {
        waiting.set(id, done);
        worker.postMessage({ id, method: "POST", path, query: "", body: JSON.stringify(body) });
      });
      const data = JSON.parse(text);
      if (status >= 400) throw new Error(data.message);
      return data;
    };
    return { ask, worker };
  }

  /** End the workshop, which holds as much memory as a game. */
  async endWorkshop() {
    const ended = await this.workshop;
    this.workshop = undefined;
    ended?.worker.terminate();
  }

  /** Keep the files of changed rules that the workshop has just compiled, for the page that is loaded next. */
  async keepChange(variant) {
    const place = this.formsKey(variant);
    const isOwn = (name) => !(`game/${name}.gz` in this.files && PICTURE.test(`game/${name}.gz`));
    for (const [name, bytes] of Object.entries(this.made)) if (isOwn(name)) await kept.put(`${place}/${name}`, bytes);
  }

  /** Check and compile changed rules; return their files. */
  async build(variant) {
    await this.ask("/api/build", { variant });
    const { made } = this;
    await this.endWorkshop();
    return made;
  }

  /** Start a worker with everything it needs; `role` is "board", "thinker" or "workshop". */
  async makeWorker(role, heard) {
    const text = (name) => unpack(this.files[name]).text();
    this.code ??= URL.createObjectURL(
      new Blob([await text("kit/runtime.js.gz"), "\n", await text("page/worker.js.gz")], { type: "text/javascript" }),
    );
    const worker = new Worker(this.code);
    worker.onmessage = ({ data }) => (data.module ? this.keepModule(data.module) : heard(data));
    worker.onerror = (event) => heard({ fault: event.message });
    const { code, journal, lesson, variant } = this.opened;
    const start = { role, config, files: this.files, forms: this.forms, lang: language(), code, journal, lesson, isChanged: Boolean(variant) };
    try {
      worker.postMessage({ start: { ...start, module: this.module } });
    } catch {
      worker.postMessage({ start }); // this browser passes no compiled modules on
    }
    return worker;
  }

  /** Keep Python as the first worker has compiled it, which takes longer than all else, for the other workers. */
  keepModule(module) {
    this.module = module;
  }

  progress(done, all) {
    const bar = byId("loading-bar");
    if (!bar) return;
    const text = done === null ? words.starting : words.loading;
    const mega = (bytes) => (bytes / 1e6).toFixed(1);
    byId("loading-text").textContent = text.replace("{done}", mega(done ?? 0)).replace("{all}", mega(all ?? 0));
    if (done === null) bar.removeAttribute("value");
    else Object.assign(bar, { max: all, value: done });
  }

  fail(fault) {
    console.error(fault);
    const told = byId("loading-text") ?? byId("alert");
    if (told) told.textContent = words.failed.replace("{fault}", fault?.message ?? fault);
    byId("loading-bar")?.remove();
  }

  heard(data) {
    if (data.fault) return this.fail(data.fault);
    if (data.ready) return this.begun(data);
    if (data.made) return this.keepForms(data.made);
    if (data.stopped) return this.bots.cancel(data.stopped);
    if (data.version) return this.moved(data.version);
    if (data.work) return data.id === undefined ? this.bots.give(data.job, data.work) : this.odds.give(data.id, data.work);
    this.settle(data);
  }

  /** Pass an answer on to what waits for it. */
  settle(data) {
    this.waiting.get(data.id)?.(data);
    this.waiting.delete(data.id);
  }

  async begun({ version, marks, isOpened, hasThinkers }) {
    byId("loading")?.remove();
    this.marks = marks;
    this.version = version;
    const isFromElsewhere = isOpened && !this.opened.save && Boolean(this.opened.code || this.opened.journal);
    if (!this.opened.save || !isOpened) this.opened.save = newSave();
    this.isReady();
    if (isFromElsewhere || this.opened.save === LESSON) await this.save();
    if (hasThinkers) this.bots.start();
    if (!isOneFile) keepFiles(config, this.files);
  }

  /** Note another position: tell the page, and save the game a moment later. */
  moved(version) {
    this.version = version;
    for (const tell of [...this.listeners]) tell();
    this.isSaved = false;
    this.saving ??= setTimeout(() => this.save(), SAVE_PAUSE);
  }

  async save() {
    clearTimeout(this.saving);
    this.saving = undefined;
    const { version } = this;
    const { journal, lesson, told, choices } = JSON.parse((await this.request("GET", "/api/saved")).body);
    const saved = { journal, lesson, told, choices, variant: this.opened.variant, moved: Date.now() };
    this.isKept = await keep(config.id, this.opened.save, saved);
    this.isSaved = this.isKept && version === this.version;
    return journal;
  }

  async keepForms(made) {
    Object.assign(this.forms, made);
    for (const [name, bytes] of Object.entries(made)) await kept.put(`${this.place}/${name}`, bytes);
  }

  /** Send a request to the worker and return its answer: `status`, `kind` and `body`. */
  async request(method, path, query = "", body = "", signal = undefined) {
    await this.ready;
    const id = ++this.number;
    this.hasChosen ||= CHANGES.includes(path);
    return new Promise((done, failed) => {
      const stop = () => {
        this.waiting.delete(id);
        this.odds.cancel(id);
        failed(new DOMException("", "AbortError"));
      };
      if (signal?.aborted) return stop();
      signal?.addEventListener("abort", stop);
      this.waiting.set(id, (data) => {
        signal?.removeEventListener("abort", stop);
        done(data);
      });
      this.worker.postMessage({ id, method, path, query, body });
    });
  }

  /** Return the version once it differs from the given one. */
  async versionAfter(version, signal) {
    await this.ready;
    if (this.version === version)
      await new Promise((done, failed) => {
        const end = (how, value) => {
          this.listeners.delete(changed);
          signal?.removeEventListener("abort", stop);
          how(value);
        };
        const changed = () => end(done);
        const stop = () => end(failed, new DOMException("", "AbortError"));
        this.listeners.add(changed);
        signal?.addEventListener("abort", stop);
      });
    return this.version;
  }
}

export const interpreter = new Interpreter();
globalThis.grognard = interpreter; // for the console, and for tests
