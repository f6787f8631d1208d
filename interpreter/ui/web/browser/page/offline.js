// The service worker: keeps the page's files, so that it also opens without a network. NAME and FILES stand above.

addEventListener("install", (event) => {
  const filled = caches.open(NAME).then((cache) => cache.addAll(FILES.map((name) => new Request(name, { cache: "reload" }))));
  event.waitUntil(filled.then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => names.filter((name) => name.startsWith("grognard-") && name !== NAME));
  event.waitUntil(others.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(registration.scope)) return;
  const found = caches.open(NAME).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(found.then((kept) => kept ?? fetch(event.request)));
});
