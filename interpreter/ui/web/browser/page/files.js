// The files that the interpreter needs, packed: from beside the page, or from inside it where the page is one file.

const TAG = "script[data-file]";

/** Return every file of the export as an ArrayBuffer, by name; `progress` is told the bytes so far, and of all. */
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

/** Return files that are not needed at every start, by name. */
export async function loadMore(names, loaded) {
  const missing = names.filter((name) => !(name in loaded));
  const found = await Promise.all(missing.map(async (name) => [name, await packed(await (await fetch(name)).arrayBuffer())]));
  return Object.assign(loaded, Object.fromEntries(found));
}

async function fetchFiles(sizes, progress) {
  const all = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let done = 0;
  const one = async (name) => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(`${name}: HTTP ${answer.status}`);
    const parts = [];
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      progress((done += part.value.length), all);
    }
    return [name, await packed(await new Blob(parts).arrayBuffer())];
  };
  return Object.fromEntries(await Promise.all(Object.keys(sizes).map(one)));
}

const GZIP = [0x1f, 0x8b];

/** Return a file as it was exported: a server that declares .gz files as compressed makes the browser unpack them. */
async function packed(bytes) {
  const head = new Uint8Array(bytes, 0, 2);
  if (GZIP.every((byte, at) => head[at] === byte)) return bytes;
  return new Response(new Response(bytes).body.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}
