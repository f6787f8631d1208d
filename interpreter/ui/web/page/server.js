// Talks to the server, as the seat whose link opened this page. Must not know what is shown.

const LIMIT = 120000; // milliseconds after which an answer is no longer waited for; exact odds take up to a minute
const POST_LIMIT = 60000; // the same for what changes the game: meanwhile nothing else can be chosen

/** The address of the page itself: the board may lie below any path. */
export const base = new URL("../", import.meta.url);

/**
 * The secret of the seat: from a link (`?seat=` or `#seat=`), and from then on from the browser's record of this page,
 * so that it stands neither in the address bar nor in a storage, and a reload keeps it.
 */
export const seat = arrive();

/** The language that is asked for; "" for the server's own. */
export const lang = new URL(location.href).searchParams.get("lang") ?? "";

/** What the server answered where it declined. */
export class Declined extends Error {
  constructor(status, data) {
    super(data.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = data.error ?? "failed";
    this.reasons = data.reasons ?? [];
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
    // then it stays in the address
  }
  return found;
}

/** A link for a seat. What stands behind # is not sent to servers, so no log of a proxy holds it. */
export function link(secret, from = base) {
  return new URL(`#seat=${encodeURIComponent(secret)}`, from).href;
}

/** Go to the page of another seat or game, or to this one in another language. */
export function go(secret, language = lang) {
  const url = new URL(base);
  if (language) url.searchParams.set("lang", language);
  url.hash = `seat=${encodeURIComponent(secret)}`;
  location.assign(url);
}

/** A link that was followed without loading the page, or a step back to the page of another seat: load that one. */
function moved() {
  const wanted = given(new URL(location.href)) || history.state?.seat;
  if (wanted && wanted !== seat) location.reload();
  else arrive();
}
addEventListener("popstate", moved);
addEventListener("hashchange", moved);

/** An address below the board's own. */
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
    const data = parsed(text);
    if (!answer.ok) throw new Declined(answer.status, data ?? {});
    if (data === undefined) throw new Error("not JSON"); // a proxy has answered in the server's place
    return data;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the server tells under a path. `signal` gives the question up, as does the limit in milliseconds. */
export function get(path, params = {}, signal = undefined, limit = LIMIT) {
  return send(path, params, { signal, limit });
}

/** Ask the server to do something. */
export function post(path, body = {}) {
  const headers = { "Content-Type": "application/json" };
  return send(path, {}, { method: "POST", headers, body: JSON.stringify(body), limit: POST_LIMIT });
}
