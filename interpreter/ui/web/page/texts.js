// Filling of the page's own texts: names in braces, and words in singular or plural, as in `{number} (order|orders)`.

const FORMS = /\(([^(){}|]*)\|([^(){}|]*)\)/g;

/** Fill the holes of a text. The nearest number before a word decides between its forms, else the nearest after it. */
export function fill(template, values) {
  const parts = template.split(/\{(\w+)\}/).map((text, n) => (n % 2 ? String(values[text] ?? `{${text}}`) : text));
  const isNumber = (n) => n % 2 && /^[+-]?[\d.,/]*\d$/.test(parts[n]);
  const numbers = [...parts.keys()].filter(isNumber);
  const chosen = (text, n) => {
    const deciding = numbers.findLast((at) => at < n) ?? numbers.find((at) => at > n);
    return text.replace(FORMS, (_all, one, many) => (["1", "+1", "-1"].includes(parts[deciding]) ? one : many));
  };
  return parts.map((text, n) => (n % 2 ? text : chosen(text, n))).join("");
}

/** Return a text with a capital letter at its start, for elements that the style sheet cannot give one, such as a box. */
export function capital(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
