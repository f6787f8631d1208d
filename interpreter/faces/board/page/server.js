// Talks to the server, as the seat in this page's address. Must not know what is shown.

const here = new URL(location.href);

/** The secret of the seat, as it stands in the address. */
export const seat = here.searchParams.get("seat") ?? "";

/** The language that is asked for; "" for the server's own. */
export const lang = here.searchParams.get("lang") ?? "";

/** What the server answered where it declined. */
export class Declined extends Error {
  constructor(status, data) {
    super(data.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = data.error ?? "failed";
    this.reasons = data.reasons ?? [];
  }
}

function address(path, params) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries({ ...(lang ? { lang } : {}), ...params })) {
    url.searchParams.set(name, value);
  }
  return url;
}

async function send(path, params, more) {
  const headers = { ...(seat ? { Authorization: `Bearer ${seat}` } : {}), ...more.headers };
  const answer = await fetch(address(path, params), { ...more, headers, credentials: "omit" });
  if (answer.status === 304) return null;
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Declined(answer.status, data);
  return data;
}

/** What the server tells under a path. */
export function get(path, params = {}, signal = undefined) {
  return send(path, params, { signal });
}

/** Ask the server to do something. */
export function post(path, body = {}) {
  return send(path, {}, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}
