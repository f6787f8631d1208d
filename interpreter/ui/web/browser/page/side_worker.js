// A second worker for slow jobs: the choices of bots and slow odds.

export class SideWorker {
  /**
   * `make` starts a web worker and returns it as a promise; it takes what hears its messages. `answer` gets the id of
   * a job with its status and body.
   */
  constructor(make, answer) {
    Object.assign(this, { make, answer });
    this.jobs = new Map(); // by id, in the order in which they were given
  }

  /** Start the worker, so that the first job need not wait for it. */
  start() {
    this.starting ??= this.make((data) => this.heard(data)).catch((fault) => this.fail(fault));
    return this.starting;
  }

  /** Give a job to the worker. */
  async give(id, work) {
    this.jobs.set(id, work);
    const starting = this.start();
    const worker = await starting;
    if (this.starting === starting && this.jobs.get(id) === work) worker?.postMessage({ id, work });
  }

  heard({ id, status, body, fault }) {
    if (fault) return this.fail(fault);
    if (id === undefined || !this.jobs.delete(id)) return;
    this.answer(id, status, body);
  }

  /** Give up a job: the worker, which cannot be interrupted, is ended, and begins its other jobs again. */
  cancel(id) {
    if (!this.jobs.delete(id)) return;
    this.end();
    for (const [other, work] of [...this.jobs]) this.give(other, work);
  }

  end() {
    this.starting?.then((worker) => worker?.terminate());
    this.starting = undefined;
  }

  /** Answer every job with the reason why it cannot be done. */
  fail(fault) {
    console.error(fault);
    this.end();
    const body = JSON.stringify({ error: "failed", message: String(fault?.message ?? fault) });
    const failed = [...this.jobs.keys()];
    this.jobs.clear();
    for (const id of failed) this.answer(id, 500, body);
  }
}
