import { type RunningChild } from '#embedded/supervised.js';
import { atExit } from './at-exit.js';

/** A server process that a test can kill and start again on the same folder and port. */
export class Killable<Child extends RunningChild> {
  private readonly forget: () => void;

  private constructor(
    private child: Child,
    private readonly startAgain: () => Promise<Child>,
  ) {
    this.forget = atExit(this.end);
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

  /** Sends SIGKILL, so that the server cannot flush, and waits for its end. */
  async kill(): Promise<void> {
    // Keeps this process alive until the child has ended, because the child alone does not keep this
    // process alive.
    const alive = setInterval(() => undefined, 1_000);
    process.kill(this.child.pid, 'SIGKILL');
    await this.child.ended;
    clearInterval(alive);
  }

  async restart(): Promise<void> {
    this.child = await this.startAgain();
  }

  async stop(): Promise<void> {
    this.forget();
    await this.child.stop();
  }

  private readonly end = (): void => {
    try {
      process.kill(this.child.pid, 'SIGKILL');
    } catch {
      // The child had already ended.
    }
  };
}
