// Runs the interpreter in a web worker. As "board" it plays the game; as "thinker" it does long jobs beside it.

"use strict";

const HOME = "/home/web";
const PARTS = { engine: "/engine", compiler: "/engine" };
const own = {}; // the Python interpreter, the session, the files

async function unpacked(name) {
  const stream = new Response(own.files[name]).body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Load Python, with its two files taken from memory instead of the network. */
async function loadPython(lock) {
  const wasm = unpacked("kit/python.wasm.gz");
  const library = unpacked("kit/library.zip.gz");
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

async function addPart(name) {
  own.python.unpackArchive(await unpacked(`kit/${name}.zip.gz`), "zip", { extractDir: PARTS[name] ?? `/${name}` });
}

async function start({ role, config, files, forms, lang, code, journal }) {
  const begun = performance.now();
  const marks = {};
  const mark = (what) => (marks[what] = Math.round(performance.now() - begun));
  own.files = files;
  own.lang = lang;
  const python = (own.python = await loadPython(config.lock));
  mark("python");
  await addPart("engine");
  python.FS.mkdirTree("/bundle");
  const names = Object.keys(files).filter((name) => name.startsWith("game/"));
  for (const name of names) python.FS.writeFile(`/bundle/${name.slice(5, -3)}`, await unpacked(name));
  for (const [name, bytes] of Object.entries(forms)) python.FS.writeFile(`/bundle/${name}`, new Uint8Array(bytes));
  const isCompiled = python.FS.analyzePath(`/bundle/play.${config.tag}`).exists;
  if (!isCompiled) await addPart("compiler");
  own.hasCompiler = !isCompiled;
  mark("unpacked");
  python.globals.set("given", JSON.stringify({ role, name: config.id, defaults: config.defaults, lang, code, journal }));
  own.session = python.runPython(
    "import sys; sys.path.insert(0, '/engine')\nfrom interpreter.ui.web.browser.entry import opened\nopened(given)",
  );
  mark("begun");
  own.marks = marks;
  sendForms();
  if (role === "board") postMessage({ ready: true, version: own.session.version, marks, isOpened: own.session.is_opened });
}

/** Send compiled forms that were made here to the page, which keeps them for its next visit. */
function sendForms() {
  const names = own.session.write_made("/made");
  if (!names) return;
  const made = Object.fromEntries(names.split(" ").map((name) => [name, own.python.FS.readFile(`/made/${name}`).buffer]));
  postMessage({ made });
}

/** Answer a request of the page. */
async function answer({ id, method, path, query, body }) {
  const before = own.session.version;
  await needCompiler(path);
  const text = own.session.call(method, path, query, body);
  const { status, kind } = own.session;
  if (kind === "work") postMessage({ id, work: text });
  else postMessage({ id, status, kind, body: text });
  if (own.session.version !== before) tell();
  sendForms();
  think();
}

/** Add the compiler before a request that may need another form of the rules, if the bundle came compiled. */
async function needCompiler(path) {
  if (own.hasCompiler || !path.startsWith("/api/ask/")) return;
  own.hasCompiler = true;
  await addPart("compiler");
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
  if (work !== "step") return postMessage({ work });
  setTimeout(() => {
    own.session.bot_step();
    thought();
  }, 0);
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
    } else if (data.thought) {
      own.session.bot_answer(data.thought.status, data.thought.body);
      thought();
    }
  } catch (fault) {
    const lines = String(fault.message ?? fault).trim().split("\n");
    console.error(fault);
    postMessage({ fault: lines.at(-1) }); // of a traceback, the error itself
  }
};
