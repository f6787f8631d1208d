// Waits for news of the game, also after sleep: a question on a connection that died is given up and asked anew.

import { Declined, get } from "./server.js";

const RETRY = 2000; // milliseconds until a server that does not answer is asked again
const HELD = 35000; // milliseconds for other questions; the server holds one for news for 25 seconds
const GLANCE = 8000; // milliseconds for a first look, which is answered at once
const TICK = 5000; // milliseconds between looks at the time
const SLEPT = 20000; // milliseconds between two of these looks that show that the machine slept
const FRESH = 1000; // milliseconds in which one waking is told by several events
const WAKING = ["visibilitychange", "online", "focus", "pageshow"];

export class Poll {
  /** `version`: the one that is shown; `fetch`: shows the present one; `lost` and `found`: of the server. */
  constructor({ version, fetch, lost, found }) {
    Object.assign(this, { version, fetch, lost, found, begun: 0, giving: null });
    const waked = () => this.wake();
    document.addEventListener(WAKING[0], waked);
    for (const event of WAKING.slice(1)) addEventListener(event, waked);
    let last = Date.now();
    setInterval(() => {
      const now = Date.now();
      if (now - last > SLEPT) this.wake();
      last = now;
    }, TICK);
  }

  /** Give up the question that is under way, or the pause after a failure, and look anew. */
  wake() {
    if (document.hidden) return;
    this.resume?.();
    if (Date.now() - this.begun < FRESH) return;
    this.isWoken = true;
    this.giving?.abort();
  }

  /** Ask for as long as the page is seen. */
  async run() {
    for (;;) {
      if (document.hidden) await this.pause();
      this.begun = Date.now();
      this.giving = new AbortController();
      const { signal } = this.giving;
      const isLook = this.isWoken || this.isLost; // after sleep a first look tells soon whether the connection is alive
      this.isWoken = false;
      try {
        const after = isLook ? {} : { after: this.version() };
        const { version } = await get("/api/news", after, signal, isLook ? GLANCE : HELD);
        if (version !== this.version()) await this.fetch(signal, HELD);
        if (this.isLost) this.found();
        this.isLost = false;
      } catch (fault) {
        if (this.isWoken) continue;
        const isLate = fault.name === "AbortError" && !isLook; // held longer than the server holds any
        if (isLate) {
          this.isWoken = true;
          continue;
        }
        this.isLost = true;
        this.lost(fault instanceof Declined ? fault.message : null);
        await this.pause(RETRY);
      }
    }
  }

  /** Wait so many milliseconds, if any, or until something wakes the page. */
  pause(time) {
    return new Promise((go) => {
      this.resume = go;
      if (time) setTimeout(go, time);
    });
  }
}
