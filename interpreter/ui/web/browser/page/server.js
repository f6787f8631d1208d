// Takes the place of the page's server.js: the requests go to the interpreter in a web worker of this page.

import { interpreter } from "./interpreter.js";
import { reopen } from "./saves.js";

/** The URL of the page itself. */
export const base = new URL("./", location.href);

/** One seat only: the visitor plays every side without a bot. */
export const seat = "host";

/** The requested language, or "" for the page's default. */
export const lang = new URL(location.href).searchParams.get("lang") ?? "";

/** A refusal by the interpreter. */
export class Declined extends Error {
  constructor(status, data) {
    super(data.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = data.error ?? "failed";
    this.reasons = data.reasons ?? [];
    this.answers = data.answers ?? [];
  }
}

/** Return the link of this page, which all seats share. */
export function link() {
  return location.href.split("#")[0];
}

/** Show this page in another language. */
export function go(secret, language = lang) {
  const url = new URL(location.href);
  if (language) url.searchParams.set("lang", language);
  location.assign(url);
}

const drawings = new Map();
const DIGEST = /^[0-9a-f]{24}$/; // drawings are named by a digest of their content

/** Return the URL of a drawing that an answer has named before; of anything else, its path below the page. */
export function address(path) {
  return drawings.get(path) ?? new URL(`.${path}`, base);
}

/** Fetch the drawings that an answer names, so that `address` knows them. */
async function loadDrawings(data) {
  const names = Object.values(data ?? {}).filter((value) => typeof value === "string" && DIGEST.test(value));
  for (const name of names) {
    const path = `/ground/${name}.svg`;
    if (drawings.has(path)) continue;
    const { status, body } = await interpreter.request("GET", path);
    if (status === 200) drawings.set(path, new URL(URL.createObjectURL(new Blob([body], { type: "image/svg+xml" }))));
  }
  return data;
}

async function send(method, path, params, body, signal) {
  const query = new URLSearchParams({ ...(lang ? { lang } : {}), ...params }).toString();
  const answer = await interpreter.request(method, path, query, body, signal);
  const data = JSON.parse(resolvePictures(answer.body));
  if (answer.status >= 400) throw new Declined(answer.status, data);
  return data;
}

const PICTURE = /pictures\/([0-9a-f]{24}\.\w+)/g;

/** Return an answer with URLs in place of the names of pictures, which here are not files beside the page. */
function resolvePictures(text) {
  const { pictures } = interpreter;
  return pictures.size ? text.replace(PICTURE, (name, picture) => pictures.get(picture) ?? name) : text;
}

/** Return the answer to a request. The page waits for news until the position is another. */
export async function get(path, params = {}, signal = undefined) {
  if (path === "/api/news") return { version: await interpreter.versionAfter(params.after, signal) };
  const data = await loadDrawings(await send("GET", path, params, undefined, signal));
  return path === "/api/words" ? { ...data, origins: [location.origin] } : data;
}

/** Carry out an action. Another game like this one, or a lesson, is begun by loading the page again with it. */
export async function post(path, body = {}) {
  if (path === "/api/learn") {
    await reopen({ isLesson: true, variant: interpreter.opened.variant });
    return new Promise(() => {}); // the page is left
  }
  if (path === "/api/again") {
    const { code } = await send("POST", path, {}, JSON.stringify(body));
    await reopen({ code, variant: interpreter.opened.variant });
    return new Promise(() => {}); // the page is left
  }
  return loadDrawings(await send("POST", path, {}, JSON.stringify(body)));
}
