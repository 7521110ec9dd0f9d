import { setTimeout as sleep } from 'node:timers/promises';

/** How a child process ended. */
export interface Ending {
  /** A description of the cause. */
  readonly cause: string;
  readonly signal?: NodeJS.Signals | undefined;
  /** True if another start would end in the same way. `cause` is then a sentence for the user. */
  readonly isFinal?: boolean;
}

/** A child process that runs and answers. */
export interface RunningChild {
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ending>;
  stop(): Promise<void>;
}

/** Thrown if a child process ended before it answered. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';
  constructor(
    message: string,
    readonly signal: NodeJS.Signals | undefined,
  ) {
    super(message);
  }
}

/** The failure of a child process that is not started again. The message says what to do. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 5_000;
/** A child that has run this long counts as recovered, so the next restart has the shortest delay. */
const STEADY_AFTER_MS = 30_000;
/** The signals that a process gets for its own faults, for example when it reads a damaged file in memory. */
const FAULTS: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE']);

export interface Supervision<Child extends RunningChild> {
  readonly start: () => Promise<Child>;
  /** Starts the child again, at the same address. */
  readonly restart: (first: Child) => Promise<Child>;
  /** Called when the child has ended or could not be started again. It is started again after a delay. */
  readonly onCrash: (cause: string) => void;
  /** Called when the child is not started again. */
  readonly onGivenUp: (failure: GivenUp) => void;
  /** Returns what to tell the user if faults end the child twice in a row, while it starts or while it serves. */
  readonly afterTwoFaults: (signal: NodeJS.Signals, step: Step) => string;
}

type Step = 'starting' | 'serving';

/**
 * Keeps a child process running. Whenever the child ends without being stopped, it is restarted after a
 * delay that grows, unless it can only end in the same way again.
 */
export class Supervised<Child extends RunningChild> {
  private isStopping = false;
  private readonly watching: Promise<void>;

  private constructor(
    private child: Child,
    private readonly first: Child,
    private readonly faults: Faults,
    private readonly supervision: Supervision<Child>,
  ) {
    this.watching = this.watch();
  }

  /** Starts the child; fails if the first start fails. */
  static async start<Child extends RunningChild>(
    supervision: Supervision<Child>,
  ): Promise<Supervised<Child>> {
    const faults = new Faults(supervision.afterTwoFaults);
    for (;;) {
      try {
        const child = await supervision.start();
        return new Supervised(child, child, faults, supervision);
      } catch (error) {
        if (!(error instanceof StartFailed) || !isFault(error.signal)) throw error;
        faults.add(error.signal, 'starting');
        supervision.onCrash(error.message);
      }
    }
  }

  get running(): Child {
    return this.child;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.child.stop();
    await this.watching;
  }

  private async watch(): Promise<void> {
    try {
      for (let backoff = FIRST_BACKOFF_MS; ;) {
        const since = Date.now();
        const ending = await this.child.ended;
        if (this.isStopping) return;
        if (Date.now() - since > STEADY_AFTER_MS) {
          backoff = FIRST_BACKOFF_MS;
          this.faults.forget();
        }
        if (ending.isFinal) throw new GivenUp(ending.cause);
        if (isFault(ending.signal)) this.faults.add(ending.signal, 'serving');
        this.supervision.onCrash(ending.cause);
        for (let started = false; !started;) {
          await sleep(backoff);
          backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
          if (this.isStopping) return;
          started = await this.tryRestart();
        }
      }
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      this.supervision.onGivenUp(error);
    }
  }

  private async tryRestart(): Promise<boolean> {
    try {
      this.child = await this.supervision.restart(this.first);
    } catch (error) {
      if (error instanceof GivenUp) throw error;
      if (error instanceof StartFailed && isFault(error.signal)) {
        this.faults.add(error.signal, 'starting');
      }
      this.supervision.onCrash(error instanceof Error ? error.message : String(error));
      return false;
    }
    // The supervisor was stopped while the child started.
    if (this.isStopping) await this.child.stop();
    return true;
  }
}

const isFault = (signal: NodeJS.Signals | undefined): signal is NodeJS.Signals =>
  signal !== undefined && FAULTS.has(signal);

/** Remembers at which step a fault last ended the child. */
class Faults {
  private last: Step | undefined;

  constructor(private readonly afterTwoFaults: (signal: NodeJS.Signals, step: Step) => string) {}

  /** Fails with `GivenUp` if the fault before this one was at the same step. */
  add(signal: NodeJS.Signals, step: Step): void {
    if (this.last === step) throw new GivenUp(this.afterTwoFaults(signal, step));
    this.last = step;
  }

  forget(): void {
    this.last = undefined;
  }
}
