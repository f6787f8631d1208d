// The files that the interpreter needs, packed: from beside the page, or from inside it where the page is one file.

const TAG = "script[data-file]";

/** Whether the page is a single file that embeds all its resources. */
export const isOneFile = document.querySelector("script[type=importmap]") !== null;

/** Return every file of the export as an ArrayBuffer, by name; `progress` receives the bytes loaded and the total. */
export async function loadFiles(config, progress) {
  const embedded = [...document.querySelectorAll(TAG)];
  return embedded.length ? unpackEmbedded(embedded, progress) : fetchFiles(config.files, progress);
}

async function unpackEmbedded(elements, progress) {
  const files = {};
  let done = 0;
  for (const element of elements) {
    const answer = await fetch(`data:application/octet-stream;base64,${element.textContent}`);
    files[element.dataset.file] = await answer.arrayBuffer();
    element.remove();
    progress(++done, elements.length);
  }
  return files;
}

/** Load files that are not needed at every start, named with their digests, unless they are loaded. Return all. */
export async function loadMore(later, loaded) {
  const missing = Object.entries(later).filter(([name]) => !(name in loaded));
  const load = async ([name, digest]) => [name, await repack(await (await fetchFile(name, digest)).arrayBuffer())];
  return Object.assign(loaded, Object.fromEntries(await Promise.all(missing.map(load))));
}

/** Fetch a file. The digest in its address keeps browsers from taking a file of an earlier export for it. */
async function fetchFile(name, digest) {
  const answer = await fetch(`${name}?${digest}`);
  if (!answer.ok) throw new Error(`${name}: HTTP ${answer.status}`);
  return answer;
}

/** Return a packed file as a response that unpacks it. */
export function unpack(bytes) {
  return new Response(new Response(bytes).body.pipeThrough(new DecompressionStream("gzip")));
}

/**
 * Keep the page for visits without a network: the files that were just loaded are put where the service worker looks
 * for them, so that it need not load them again. Not every page may have one.
 */
export async function keepFiles(config, loaded) {
  if (!navigator.serviceWorker || !window.caches) return;
  try {
    if (!navigator.serviceWorker.controller) {
      const cache = await caches.open(`grognard ${new URL("./", location.href).href}`);
      const files = Object.entries(config.files).filter(([name]) => name in loaded);
      await Promise.all(files.map(([name, [, digest]]) => cache.put(`${name}?${digest}`, new Response(loaded[name]))));
    }
    await navigator.serviceWorker.register("offline.js");
  } catch {
    // the page works, but not without a network
  }
}

async function fetchFiles(sizes, progress) {
  const all = Object.values(sizes).reduce((sum, [size]) => sum + size, 0);
  let done = 0;
  const one = async ([name, [, digest]]) => {
    const answer = await fetchFile(name, digest);
    const parts = [];
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      progress((done += part.value.length), all);
    }
    return [name, await repack(await new Blob(parts).arrayBuffer())];
  };
  return Object.fromEntries(await Promise.all(Object.entries(sizes).map(one)));
}

const GZIP = [0x1f, 0x8b];

/** Return a file as it was exported: a server that declares .gz files as compressed makes the browser unpack them. */
async function repack(bytes) {
  const head = new Uint8Array(bytes, 0, 2);
  if (GZIP.every((byte, at) => head[at] === byte)) return bytes;
  return new Response(new Response(bytes).body.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}
