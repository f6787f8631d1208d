// A stepper for how many counters go along: one fewer, "n of m", one more, all.

import { make } from "./making.js";
import { fill } from "./texts.js";

/** Build a stepper over some numbers in rising order; `set` is called with the number that is chosen. */
export function stepper(words, numbers, number, set) {
  const at = numbers.indexOf(number);
  const most = numbers.at(-1);
  const step = (name, sign, by) => {
    const attributes = { type: "button", "aria-label": name, disabled: numbers[at + by] === undefined, onclick: () => set(numbers[at + by]) };
    return make("button", attributes, sign);
  };
  const told = fill(words.number_of, { number, total: most });
  const whole = make("button", { type: "button", class: "all", disabled: number === most, onclick: () => set(most) }, words.all);
  const parts = [step(words.fewer, "−", -1), make("output", {}, told), step(words.more_of, "+", 1), whole];
  return make("div", { class: "stepper", role: "group", "aria-label": words.how_many }, ...parts);
}
