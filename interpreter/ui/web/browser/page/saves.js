// Games kept in this browser, and which of them this page opens. Where nothing can be stored, everything returns null.

const STORE = "kept";

const opened = new Promise((done, failed) => {
  const asked = indexedDB.open("grognard", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
}).catch(() => null);

async function stored(mode, ask) {
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
    const found = await stored("readonly", (store) => store.get(key));
    return found === true ? null : found;
  },
  put: (key, value) => stored("readwrite", (store) => store.put(value, key)),
  delete: (key) => stored("readwrite", (store) => store.delete(key)),
  keys: async (prefix) => (await stored("readonly", (store) => store.getAllKeys(below(prefix)))) || [],
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
 * Return what to open: a link's code, a file that was chosen, or the game played last. A link and a file are taken out
 * of the address and the history, so that a reload goes on with the game that was begun from them.
 */
export async function openedGame(id) {
  const code = new URLSearchParams(location.hash.slice(1)).get("game") ?? "";
  const asked = history.state?.open;
  const url = new URL(location.href);
  url.hash = "";
  if (code || asked) history.replaceState(null, "", url);
  if (code) return { code, journal: "", name: "" };
  if (asked?.journal) return { code: "", journal: asked.journal, name: asked.name };
  const save = asked?.save ?? (await kept.get(`${id}/last`));
  const game = save && !asked?.isNew ? await kept.get(`${id}/saves/${save}`) : null;
  return game ? { code: "", journal: game.journal, name: "", save } : { code: "", journal: "", name: "" };
}

/** Load the page again with something else: a code, `{journal, name}` or `{save}`. */
export function reopen(what) {
  const url = new URL(location.href);
  url.hash = what.code ? `game=${what.code}` : "";
  history.replaceState(what.code ? null : { open: what }, "", url);
  location.reload();
}
