// Starts the interpreter in a web worker, passes requests to it, and keeps the game in the browser.

import { loadFiles } from "./files.js";
import { keep, kept, keptFiles, newSave, openedGame } from "./saves.js";

/** What the export has written into the page. */
export const config = JSON.parse(document.getElementById("grognard-config").textContent);

const SAVE_PAUSE = 250; // milliseconds without a change after which the game is saved
const byId = (id) => document.getElementById(id);

/** The language of the page before the interpreter runs: asked for, exported for, or preferred by the browser. */
function language() {
  const asked = [new URL(location.href).searchParams.get("lang"), config.lang, ...navigator.languages.map((code) => code.split("-")[0])];
  return asked.find((code) => code && code in config.words) ?? "en";
}
export const words = config.words[language()];

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
    this.forms = await keptFiles(this.formsKey());
    this.progress(null);
    this.worker = await this.makeWorker("board", (data) => this.heard(data));
  }

  formsKey() {
    return `${config.id}/forms/${config.key}`;
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
    const { code, journal, name } = this.opened;
    worker.postMessage({ start: { role, config, files: this.files, forms: this.forms, lang: language(), code, journal, name } });
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
    if (!this.opened.save || !isOpened) this.opened.save = newSave();
    this.isReady();
  }

  /** Note another position: tell the page, and save the game a moment later. */
  moved(version) {
    this.version = version;
    for (const tell of [...this.listeners]) tell();
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), SAVE_PAUSE);
  }

  async save() {
    clearTimeout(this.saving);
    const { journal, told, choices } = JSON.parse((await this.request("GET", "/api/saved")).body);
    this.isKept = await keep(config.id, this.opened.save, { journal, told, choices, moved: Date.now() });
    return journal;
  }

  async keepForms(made) {
    Object.assign(this.forms, made);
    for (const [name, bytes] of Object.entries(made)) await kept.put(`${this.formsKey()}/${name}`, bytes);
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
