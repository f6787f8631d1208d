// Games kept in this browser, and which of them this page opens. Where nothing can be stored, everything returns null.

const STORE = "kept";

/** The name of the single save of a lesson. */
export const LESSON = "lesson";

const opened = new Promise((done, failed) => {
  const asked = indexedDB.open("grognard", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
}).catch(() => null);

async function transact(mode, ask) {
  const database = await opened;
  if (!database) return null;
  return new Promise((done) => {
    const transaction = database.transaction(STORE, mode);
    const asked = ask(transaction.objectStore(STORE));
    transaction.oncomplete = () => done(asked.result ?? true);
    transaction.onerror = transaction.onabort = () => done(null);
  }).catch(() => null);
}

const below = (prefix) => IDBKeyRange.bound(`${prefix}/`, `${prefix}0`); // "0" follows "/"

/** The store: values by key. */
export const kept = {
  get: async (key) => {
    const found = await transact("readonly", (store) => store.get(key));
    return found === true ? null : found;
  },
  put: (key, value) => transact("readwrite", (store) => store.put(value, key)),
  delete: (key) => transact("readwrite", (store) => store.delete(key)),
  keys: async (prefix) => (await transact("readonly", (store) => store.getAllKeys(below(prefix)))) || [],
};

/** Return the bytes kept under a prefix, by the rest of their keys. */
export async function keptFiles(prefix) {
  const names = await kept.keys(prefix);
  return Object.fromEntries(await Promise.all(names.map(async (key) => [key.slice(prefix.length + 1), await kept.get(key)])));
}

/** Return a name for a new save: by time, so that they sort. */
export function newSave() {
  return `${Date.now()}`;
}

/** Save a game, and open it when the page is opened next. Return whether it could be stored. */
export async function keep(id, save, game) {
  const isKept = await kept.put(`${id}/saves/${save}`, game);
  await kept.put(`${id}/last`, save);
  return Boolean(isKept);
}

/** Return the saved games of a ruleset, last played first. */
export async function savedGames(id) {
  const games = Object.entries(await keptFiles(`${id}/saves`)).map(([save, game]) => ({ save, ...game }));
  return games.sort((one, other) => other.moved - one.moved);
}

/**
 * Return what to open: a link's code, a file that was chosen, a lesson, or the game played last. A link and a file are taken out
 * of the address and the history, so that a reload goes on with the game that was begun from them.
 */
export async function openedGame(id) {
  const given = new URLSearchParams(location.hash.slice(1));
  const code = given.get("game") ?? "";
  const variant = given.has("change") ? await unpackText(given.get("change")).catch(() => "") : "";
  const asked = history.state?.open;
  const url = new URL(location.href);
  url.hash = "";
  if (code || asked) history.replaceState(null, "", url);
  const nothing = { code: "", journal: "", lesson: null, variant: "" };
  if (code) return { ...nothing, code, variant };
  if (asked?.journal) return { ...nothing, journal: asked.journal, variant: asked.variant ?? "" };
  if (asked?.isLesson) return { ...nothing, lesson: {}, variant: asked.variant ?? "", save: LESSON };
  const save = asked?.save ?? (await kept.get(`${id}/last`));
  const game = save ? await kept.get(`${id}/saves/${save}`) : null;
  if (!game) return nothing;
  return { ...nothing, journal: game.journal ?? "", lesson: game.lesson ?? null, variant: game.variant ?? "", save };
}

/** Return the address of this page with a game in it, and the change of the rules that it is played with. */
export async function linkTo(code, variant) {
  const url = new URL(location.href);
  url.hash = `game=${code}${variant ? `&change=${await packText(variant)}` : ""}`;
  return url.href;
}

/** Load the page again with something else: `{code, variant}`, `{journal, variant}`, `{isLesson, variant}` or `{save}`. */
export async function reopen(what) {
  if (what.code) history.replaceState(null, "", await linkTo(what.code, what.variant));
  else history.replaceState({ open: what }, "");
  location.reload();
}

/** Let the visitor store a text as a file. */
export function download(text, name, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Response(bytes).body.pipeThrough(stream)).arrayBuffer());
}

/** Return a text deflated, in letters that any link may contain. */
async function packText(text) {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpackText(letters) {
  const packed = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw")));
}
