// Long polling for changes of the game; survives sleep by abandoning requests on dead connections.

import { Declined, get } from "./server.js";

const RETRY = 2000; // milliseconds before a silent server is asked again
const HELD = 35000; // milliseconds of timeout; the server holds a poll for 25 seconds
const GLANCE = 8000; // milliseconds of timeout for a probe, which is answered at once
const TICK = 5000; // milliseconds between clock checks
const SLEPT = 20000; // milliseconds between clock checks that indicate sleep
const FRESH = 1000; // milliseconds in which several events mean the same wake-up
const WAKING = ["visibilitychange", "online", "focus", "pageshow"];

export class Poll {
  /** `version` returns the shown one, `fetch` shows an announced one; `lost` and `found` report the server's state. */
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

  /** Abort the pending request or retry pause, and poll again. */
  wake() {
    if (document.hidden) return;
    this.resume?.();
    if (Date.now() - this.begun < FRESH) return;
    this.isWoken = true;
    this.giving?.abort();
  }

  /** Poll while the page is visible. */
  async run() {
    for (;;) {
      if (document.hidden) await this.pause();
      this.begun = Date.now();
      this.giving = new AbortController();
      const { signal } = this.giving;
      const isLook = this.isWoken || this.isLost; // a probe quickly shows whether the connection is alive
      this.isWoken = false;
      try {
        const after = isLook ? {} : { after: this.version() };
        const { version } = await get("/api/news", after, signal, isLook ? GLANCE : HELD);
        if (version !== this.version()) await this.fetch(version, signal, HELD);
        if (this.isLost) this.found();
        this.isLost = false;
      } catch (fault) {
        if (this.isWoken) continue;
        const isLate = fault.name === "AbortError" && !isLook; // exceeded the server's own limit
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

  /** Wait the given milliseconds, or until the page wakes up. */
  pause(time) {
    return new Promise((go) => {
      this.resume = go;
      if (time) setTimeout(go, time);
    });
  }
}
