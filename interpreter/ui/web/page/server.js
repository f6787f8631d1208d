// Client of the server's API, authenticated as the seat whose link opened this page.

const LIMIT = 120000; // milliseconds of timeout; exact odds take up to a minute
const POST_LIMIT = 60000; // milliseconds of timeout for changes, which block further choices

/** The URL of the page itself, since the board may be served below any path. */
export const base = new URL("../", import.meta.url);

/**
 * The seat's token: from a link (`?seat=` or `#seat=`), and after that from the page's history state, so that it is
 * neither in the address bar nor in browser storage, and survives a reload.
 */
export const seat = arrive();

/** The requested language, or "" for the server's default. */
export const lang = new URL(location.href).searchParams.get("lang") ?? "";

/** A refusal by the server. */
export class Declined extends Error {
  constructor(status, data) {
    super(data.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = data.error ?? "failed";
    this.reasons = data.reasons ?? [];
    this.answers = data.answers ?? [];
  }
}

function given(url) {
  return url.searchParams.get("seat") || new URLSearchParams(url.hash.slice(1)).get("seat") || "";
}

function arrive() {
  const url = new URL(location.href);
  const found = given(url);
  if (!found) return history.state?.seat ?? "";
  url.searchParams.delete("seat");
  url.hash = "";
  try {
    history.replaceState({ seat: found }, "", url);
  } catch {
    // the token stays in the address then
  }
  return found;
}

/** Return a link for a seat. Browsers do not send the part after #, so proxies cannot log it. */
export function link(secret, from = base) {
  return new URL(`#seat=${encodeURIComponent(secret)}`, from).href;
}

/** Navigate to another seat or game, or to this page in another language. */
export function go(secret, language = lang) {
  const url = new URL(base);
  if (language) url.searchParams.set("lang", language);
  url.hash = `seat=${encodeURIComponent(secret)}`;
  location.assign(url);
}

/** Reload if a link or a history step leads to another seat without loading the page. */
function followLink() {
  const wanted = given(new URL(location.href)) || history.state?.seat;
  if (wanted && wanted !== seat) location.reload();
  else arrive();
}
addEventListener("popstate", followLink);
addEventListener("hashchange", followLink);

/** Return a URL below the board's own. */
export function address(path, params = {}) {
  const url = new URL(`.${path}`, base);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url;
}

async function send(path, params, { limit, signal, ...more }) {
  const headers = { ...(seat ? { Authorization: `Bearer ${seat}` } : {}), ...more.headers };
  const giving = new AbortController();
  const timer = setTimeout(() => giving.abort(), limit);
  const stop = () => giving.abort();
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  try {
    const url = address(path, { ...(lang ? { lang } : {}), ...params });
    const answer = await fetch(url, { ...more, headers, credentials: "omit", signal: giving.signal });
    if (answer.status === 304) return null;
    const text = await answer.text();
    const data = parseJson(text);
    if (!answer.ok) throw new Declined(answer.status, data ?? {});
    if (data === undefined) throw new Error("not JSON"); // a proxy answered instead of the server
    return data;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fetch JSON from a path. `signal` aborts the request, as does the limit in milliseconds. */
export function get(path, params = {}, signal = undefined, limit = LIMIT) {
  return send(path, params, { signal, limit });
}

/** Post an action to the server. */
export function post(path, body = {}) {
  const headers = { "Content-Type": "application/json" };
  return send(path, {}, { method: "POST", headers, body: JSON.stringify(body), limit: POST_LIMIT });
}
