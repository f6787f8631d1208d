// Starts the interpreter in a web worker, passes requests to it, and keeps the game in the browser.

import { loadFiles, loadMore } from "./files.js";
import { keep, kept, keptFiles, newSave, openedGame } from "./saves.js";

/** What the export has written into the page. */
export const config = JSON.parse(document.getElementById("grognard-config").textContent);

const SAVE_PAUSE = 250; // milliseconds from a change to its saving, so that many at once are saved once
const byId = (id) => document.getElementById(id);

/** The language of the page before the interpreter runs: asked for, exported for, or preferred by the browser. */
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
    this.ready = new Promise((done) => (this.isReady = done));
    this.begin().catch((fault) => this.fail(fault));
  }

  async begin() {
    this.opened = await openedGame(config.id);
    this.files = await loadFiles(config, (done, all) => this.progress(done, all));
    this.progress(null);
    this.place = this.formsKey(this.opened.variant);
    this.forms = await keptFiles(this.place);
    if (this.opened.variant && !this.forms["checked.json"]) await this.keepForms(await this.build(this.opened.variant));
    this.worker = await this.makeWorker("board", (data) => this.heard(data));
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
    this.files = await loadMore(["kit/workshop.zip.gz", "game/sources.zip.gz"], this.files);
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
    for (const [name, bytes] of Object.entries(this.made)) await kept.put(`${place}/${name}`, bytes);
  }

  /** Check and compile changed rules; return their files. */
  async build(variant) {
    await this.ask("/api/build", { variant });
    const { made } = this;
    await this.endWorkshop();
    return made;
  }

  /** Start a worker with everything it needs; `role` is "board" or "thinker". */
  async makeWorker(role, heard) {
    const text = async (name) => {
      const stream = new Response(this.files[name]).body.pipeThrough(new DecompressionStream("gzip"));
      return new Response(stream).text();
    };
    this.code ??= URL.createObjectURL(
      new Blob([await text("kit/runtime.js.gz"), "\n", await text("page/worker.js.gz")], { type: "text/javascript" }),
    );
    const worker = new Worker(this.code);
    worker.onmessage = ({ data }) => heard(data);
    worker.onerror = (event) => this.fail(event.message);
    const { code, journal, variant } = this.opened;
    const isChanged = Boolean(variant);
    worker.postMessage({ start: { role, config, files: this.files, forms: this.forms, lang: language(), code, journal, isChanged } });
    return worker;
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
    if (data.version) return this.moved(data.version, data.isQuiet);
    if (data.work) return this.think(data);
    this.waiting.get(data.id)?.(data);
    this.waiting.delete(data.id);
  }

  async begun({ version, marks, isOpened }) {
    byId("loading")?.remove();
    this.marks = marks;
    this.version = version;
    const isFromElsewhere = isOpened && !this.opened.save && Boolean(this.opened.code || this.opened.journal);
    if (!this.opened.save || !isOpened) this.opened.save = newSave();
    this.isReady();
    if (isFromElsewhere) await this.save();
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
    const { journal, told, choices } = JSON.parse((await this.request("GET", "/api/saved")).body);
    this.isKept = await keep(config.id, this.opened.save, { journal, told, choices, variant: this.opened.variant, moved: Date.now() });
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
    return new Promise((done, failed) => {
      const stop = () => {
        this.waiting.delete(id);
        if (this.thinking?.has(id)) this.endThinker();
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

  // --- the second worker: slow odds, and bots that search -------------------------------------------

  /** Let the second worker do a job: for a request, or for a bot (without `id`). */
  async think({ id, work, version }) {
    this.thinking ??= new Map();
    this.thinking.set(id ?? "bot", { id, work, version });
    const starting = (this.thinker ??= this.makeWorker("thinker", (data) => this.thought(data)));
    const worker = await starting;
    if (this.thinker === starting) worker.postMessage({ id: id ?? "bot", work });
  }

  thought({ id, status, body, fault }) {
    if (fault) return this.fail(fault);
    if (id === undefined) return;
    this.thinking.delete(id);
    if (id === "bot") this.worker.postMessage({ thought: { status, body } });
    else {
      this.waiting.get(id)?.({ status, kind: "application/json", body });
      this.waiting.delete(id);
    }
  }

  /** End the second worker with all its jobs; what others wait for is begun again. */
  endThinker() {
    const left = [...this.thinking.values()].filter(({ id }) => id === undefined || this.waiting.has(id));
    this.thinker?.then((worker) => worker.terminate());
    this.thinker = undefined;
    this.thinking = new Map();
    for (const job of left) this.think(job);
  }
}

export const interpreter = new Interpreter();
globalThis.grognard = interpreter; // for the console, and for tests
