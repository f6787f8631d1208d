"use strict";
// Search in the list of this book, and the same place in another language. Nothing is fetched.
const field = document.getElementById("seek");
const list = document.getElementById("found");
const MOST = 40;

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  list.replaceChildren();
  list.hidden = words.length === 0;
  if (list.hidden) return;
  const hits = ENTRIES.filter(([, title, text]) => {
    const all = (title + " " + text).toLowerCase();
    return words.every((word) => all.includes(word));
  });
  for (const [href, title, text] of hits.slice(0, MOST)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = href;
    link.textContent = title;
    const more = document.createElement("small");
    more.textContent = text.length > 120 ? text.slice(0, 120) + "…" : text;
    item.append(link, more);
    list.append(item);
  }
  if (hits.length === 0) list.textContent = list.dataset.none;
}

if (field) {
  field.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { field.value = ""; show(); }
    if (event.key === "/" && !field.matches(":focus")) { event.preventDefault(); field.focus(); }
  });
  list.addEventListener("click", () => { list.hidden = true; });
}
for (const link of document.querySelectorAll(".languages a")) {
  link.addEventListener("click", () => { link.hash = location.hash; });
}
