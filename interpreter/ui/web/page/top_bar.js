// The top bar: turn, seat, whose move it is, points; and the notice of one's turn in tab title, sound and notification.

import { icon } from "./icons.js";
import { make, tell } from "./making.js";
import { fill } from "./texts.js";

const FAR = 10; // turns that are listed without a window onto them

export class TopBar {
  constructor(still, words) {
    Object.assign(this, { still, words, sounds: false });
    this.sides = new Map(still.sides.map((side) => [side.id, side.name]));
    const byId = (id) => document.getElementById(id);
    for (const name of ["title", "heading", "track", "seat", "whose", "scores"]) this[name] = byId(name);
    tell(this.title, still.title);
    document.title = still.title;
    this.track.setAttribute("aria-label", words.turns);
    this.sound = make("button", { type: "button", class: "icon extra", onclick: () => this.toggleSound() });
    this.showSound();
  }

  show(scene) {
    tell(this.heading, scene.heading);
    this.showTrack(scene);
    this.showSeat(scene);
    this.showScores(scene);
    this.notice(scene);
  }

  showTrack(scene) {
    const now = scene.turn;
    if (this.shownTurn === now) return;
    this.shownTurn = now;
    const at = scene.track.findIndex(([number]) => number === now);
    const first = Math.max(0, Math.min(at - FAR / 2, scene.track.length - FAR));
    const turn = ([number, name]) => {
      const how = number === now ? { "aria-current": "step" } : number < now ? { class: "past" } : {};
      return make("li", { ...how, title: name }, String(number));
    };
    this.track.replaceChildren(...scene.track.slice(first, first + FAR).map(turn));
  }

  /** Show the seat of this page, in the colour of its side, and the players of the other seats. */
  showSeat(scene) {
    const seats = scene.people ?? [];
    const own = seats.filter((seat) => seat.own);
    const side = own.length === 1 ? own[0].side : "";
    const text = own.length === 1 ? fill(this.words.you_are, { side: own[0].called }) : own.length ? this.words.you_are_all : this.words.you_watch;
    const letter = this.still.sides.find((one) => one.id === side)?.letter ?? "";
    const rest = scene.against ? make("small", {}, scene.against) : null;
    this.seat.hidden = false;
    if (side) this.seat.dataset.side = side;
    else delete this.seat.dataset.side;
    this.seat.replaceChildren(...(letter ? [make("i", { "aria-hidden": "true" }, letter)] : []), make("span", {}, text), ...(rest ? [rest] : []));
  }

  showScores(scene) {
    const sides = new Map((scene.people ?? []).map((seat) => [seat.name, seat.side]));
    const score = ([name, points]) => {
      const side = sides.get(name);
      return make("p", { "data-side": side || null, class: "score" }, make("span", {}, this.sides.get(side) ?? name), make("b", {}, points));
    };
    this.scores.replaceChildren(...scene.scores.map(score));
  }

  /** Say whose move it is, in the tab title too; chime when it becomes the player's. */
  notice(scene) {
    const isOver = scene.outcome.length > 0;
    this.whose.hidden = isOver || (!scene.may_choose && !scene.waiting);
    this.whose.classList.toggle("yours", scene.may_choose);
    tell(this.whose, scene.may_choose ? this.words.your_move : scene.waiting);
    const mark = scene.may_choose && !isOver ? `● ${this.words.your_move} · ` : "";
    const title = `${mark}${this.still.title}`;
    if (document.title !== title) document.title = title;
    if (scene.may_choose && this.mayChoose === false) this.call();
    this.mayChoose = scene.may_choose;
  }

  call() {
    if (!this.sounds) return;
    this.chime();
    if (!document.hidden || window.Notification?.permission !== "granted") return;
    try {
      new Notification(this.still.title, { body: this.words.your_move, tag: "grognard-turn" });
    } catch {
      // browsers of telephones leave notifications to service workers; the chime and the title of the tab remain
    }
  }

  /** Play two soft tones. */
  chime() {
    this.audio ??= new AudioContext();
    const start = this.audio.currentTime;
    for (const [number, pitch] of [659, 880].entries()) {
      const tone = new OscillatorNode(this.audio, { frequency: pitch });
      const volume = new GainNode(this.audio, { gain: 0 });
      const at = start + number * 0.16;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(0.12, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
      tone.connect(volume).connect(this.audio.destination);
      tone.start(at);
      tone.stop(at + 0.5);
    }
  }

  toggleSound() {
    this.sounds = !this.sounds;
    this.showSound();
    if (!this.sounds) return;
    this.chime();
    if (window.Notification?.permission === "default") Notification.requestPermission();
  }

  showSound() {
    const name = this.sounds ? this.words.sound_off : this.words.sound_on;
    this.sound.setAttribute("aria-label", name);
    this.sound.title = name;
    this.sound.replaceChildren(icon(this.sounds ? "sound" : "quiet"));
  }
}
