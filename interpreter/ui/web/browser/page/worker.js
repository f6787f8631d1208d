// Runs the interpreter in a web worker. As "board" it plays the game; as "thinker" it does jobs beside it: the choices
// of bots, or slow odds; as "workshop" it checks changes of the rules.

"use strict";

const HOME = "/home/web";
const ROOT = "/engine";
const own = {}; // the Python interpreter, the session, the files

async function unpack(name) {
  const stream = new Response(own.files[name]).body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Load Python, with its two files taken from memory instead of the network, or compiled by another worker. */
async function loadPython(lock, module) {
  const wasm = module ? new Uint8Array() : unpack("kit/python.wasm.gz");
  const compile = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (answer, imports) => {
    if (module) return { module, instance: await WebAssembly.instantiate(module, imports) };
    const made = await compile.call(WebAssembly, answer, imports);
    try {
      postMessage({ module: made.module });
    } catch {
      // this browser passes no compiled modules on
    }
    return made;
  };
  const library = unpack("kit/library.zip.gz");
  const fetchElsewhere = self.fetch;
  self.fetch = async (what, ...more) => {
    const name = String(what.url ?? what);
    if (name.endsWith(".wasm")) return new Response(await wasm, { headers: { "content-type": "application/wasm" } });
    if (name.endsWith("library.zip")) return new Response(await library);
    return fetchElsewhere(what, ...more);
  };
  const here = "https://embedded.invalid/"; // never asked
  return self.loadPyodide({
    indexURL: here,
    stdLibURL: `${here}library.zip`,
    lockFileContents: lock,
    packageBaseUrl: here,
    env: { HOME, PYTHONDONTWRITEBYTECODE: "1", GROGNARD_NO_CACHE: "1" },
  });
}

async function addFiles(name) {
  own.python.unpackArchive(await unpack(`${name}.zip.gz`), "zip", { extractDir: ROOT });
}

async function start({ role, config, files, forms, lang, code, journal, lesson, isChanged, module }) {
  const begun = performance.now();
  const marks = {};
  const mark = (what) => (marks[what] = Math.round(performance.now() - begun));
  own.files = files;
  own.lang = lang;
  const python = (own.python = await loadPython(config.lock, module));
  mark("python");
  await addFiles("kit/engine");
  await addFiles("kit/compiler");
  if (role === "workshop") await laySources(config.pictures);
  else await fillBundle(files, forms, role, isChanged);
  mark("unpacked");
  const { id, defaults, target, extends: base } = config;
  python.globals.set("given", JSON.stringify({ role, name: id, defaults, target, extends: base, lang, code, journal, lesson }));
  own.session = python.runPython(
    "import sys; sys.path.insert(0, '/engine')\nfrom interpreter.ui.web.browser.entry import open_worker\nopen_worker(given)",
  );
  mark("begun");
  own.marks = marks;
  sendForms();
  if (role === "board") {
    const { version, is_opened: isOpened, has_thinkers: hasThinkers } = own.session;
    postMessage({ ready: true, version, marks, isOpened, hasThinkers });
  }
}

/** Lay the documents down for the workshop, with the pictures that they name. */
async function laySources(pictures) {
  for (const name of ["kit/workshop", "game/sources"]) await addFiles(name);
  const { FS } = own.python;
  for (const [path, name] of Object.entries(pictures)) {
    FS.mkdirTree(`${ROOT}/${path.slice(0, path.lastIndexOf("/"))}`);
    FS.writeFile(`${ROOT}/${path}`, await unpack(`game/${name}.gz`));
  }
}

/** Lay the rules down for Python: those of the export, unless changed ones are played; and what was compiled before. */
async function fillBundle(files, forms, role, isChanged) {
  const { FS } = own.python;
  FS.mkdirTree("/bundle");
  const isPicture = (name) => name.startsWith("game/picture-");
  const isWanted = (name) => (isPicture(name) ? role === "board" : !isChanged && name !== "game/sources.zip.gz");
  const names = Object.keys(files).filter((name) => name.startsWith("game/") && isWanted(name));
  for (const name of names) FS.writeFile(`/bundle/${name.slice("game/".length, -".gz".length)}`, await unpack(name));
  for (const [name, bytes] of Object.entries(forms)) FS.writeFile(`/bundle/${name}`, new Uint8Array(bytes));
}

/** Send compiled forms that were made here to the page, which keeps them for its next visit. */
function sendForms() {
  const names = own.session.write_generated_files("/made");
  if (!names) return;
  const made = Object.fromEntries(names.split(" ").map((name) => [name, own.python.FS.readFile(`/made/${name}`).buffer]));
  postMessage({ made });
}

/** Answer a request of the page. */
async function answer({ id, method, path, query, body }) {
  const before = own.session.version;
  const text = own.session.call(method, path, query, body);
  const { status, kind } = own.session;
  sendForms();
  if (kind === "work") postMessage({ id, work: text });
  else postMessage({ id, status, kind, body: text });
  if (own.session.version !== before) {
    stopThinking();
    tell();
  }
  if (own.session.bot_work) think();
}

function tell() {
  postMessage({ version: own.session.version });
}

/** Let the bots choose, one choice at a time, so that requests are answered between them. */
function think() {
  if (own.isThinking) return;
  const work = own.session.bot_work();
  if (!work) return;
  own.isThinking = true;
  if (work !== "step") {
    own.job = (own.jobs = (own.jobs ?? 0) + 1);
    return postMessage({ job: own.job, work });
  }
  setTimeout(() => {
    own.session.bot_step();
    thought();
  }, 0);
}

/** Stop the bots' worker: the position that it thinks about is no longer there, for instance because of an undo. */
function stopThinking() {
  if (!own.job) return;
  postMessage({ stopped: own.job });
  own.session.drop_bot_turn();
  own.job = 0;
  own.isThinking = false;
}

function thought() {
  own.isThinking = false;
  tell();
  think();
}

onmessage = async ({ data }) => {
  try {
    if (data.start) own.started = start(data.start);
    await own.started;
    if (data.path) await answer(data);
    else if (data.work) {
      const body = own.session.call(data.work, own.lang);
      postMessage({ id: data.id, status: own.session.status, body });
    } else if (data.thought && data.thought.job === own.job) {
      own.job = 0;
      own.session.bot_answer(data.thought.status, data.thought.body);
      thought();
    }
  } catch (fault) {
    const lines = String(fault.message ?? fault).trim().split("\n");
    console.error(fault);
    postMessage({ fault: lines.at(-1) }); // of a traceback, the error itself
  }
};
