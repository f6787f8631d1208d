// The service worker: keeps the page's files, so that it also opens without a network. Above stand FILES, the digests of
// the files by name, and LATER, the names of those that are kept when they are first asked for.

const NAME = `grognard ${registration.scope}`; // other pages of this origin have caches of their own
const keyOf = (name) => `${registration.scope}${name}?${FILES[name]}`;

async function keep(cache, name) {
  const key = keyOf(name);
  if (await cache.match(key)) return;
  const answer = await fetch(key);
  if (!answer.ok) throw new Error(`${name}: HTTP ${answer.status}`);
  await cache.put(key, answer);
}

addEventListener("install", (event) => {
  const names = Object.keys(FILES).filter((name) => !LATER.includes(name));
  const filled = caches.open(NAME).then((cache) => Promise.all(names.map((name) => keep(cache, name))));
  event.waitUntil(filled.then(() => skipWaiting()));
});

async function clear() {
  const cache = await caches.open(NAME);
  const wanted = new Set(Object.keys(FILES).map(keyOf));
  const old = (await cache.keys()).filter(({ url }) => !wanted.has(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}

addEventListener("activate", (event) => event.waitUntil(clear().then(() => clients.claim())));

async function answer(request, name) {
  const cache = await caches.open(NAME);
  const found = await cache.match(keyOf(name));
  if (found || !LATER.includes(name)) return found ?? fetch(request);
  await keep(cache, name);
  return cache.match(keyOf(name));
}

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(registration.scope)) return;
  const name = url.slice(registration.scope.length).split(/[?#]/)[0].replace(/^index\.html$/, "");
  if (name in FILES) event.respondWith(answer(event.request, name));
});
