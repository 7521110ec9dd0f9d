import { type RunningChild } from '#embedded/supervised.js';

/** A server of a test, which can be killed and brought back on the same folder and port. */
export class Killable<Child extends RunningChild> {
  private constructor(
    private child: Child,
    private readonly startAgain: () => Promise<Child>,
  ) {
    process.once('exit', this.end);
  }

  static async start<Child extends RunningChild>(
    start: () => Promise<Child>,
    startAgain: (first: Child) => () => Promise<Child>,
  ): Promise<Killable<Child>> {
    const child = await start();
    return new Killable(child, startAgain(child));
  }

  get running(): Child {
    return this.child;
  }

  /** SIGKILL: nothing is flushed, nothing is said. */
  async kill(): Promise<void> {
    // A child does not keep this process alive, so something else must until it has ended.
    const alive = setInterval(() => undefined, 1_000);
    process.kill(this.child.pid, 'SIGKILL');
    await this.child.ended;
    clearInterval(alive);
  }

  async restart(): Promise<void> {
    this.child = await this.startAgain();
  }

  async stop(): Promise<void> {
    process.off('exit', this.end);
    await this.child.stop();
  }

  private readonly end = (): void => {
    try {
      process.kill(this.child.pid, 'SIGKILL');
    } catch {
      // It had ended already.
    }
  };
}
