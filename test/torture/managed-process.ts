import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RunningChild } from '#embedded/supervised.js';
import type { ProcessName } from './plan.js';

const run = promisify(execFile);

const RESTART_AFTER_MS = 300;
/** The time that a process has to end after SIGTERM. */
const STOP_WITHIN_MS = 45_000;
const HURRY_AFTER_MS = 2_000;

/** Receives what a process does by itself, without a fault that explains it. */
export interface ProcessEvents {
  /** The process ended, and no fault made it end. */
  onEnd(name: ProcessName, cause: string): void;
  onFailedStart(name: ProcessName, cause: string): void;
  /** The process did not end within 45 s after SIGTERM. */
  onSlowStop(name: ProcessName): void;
}

/** A process that is started again whenever it has ended, as an operator's supervisor does. */
export class ManagedProcess {
  private child: RunningChild | undefined;
  private startingPid: number | undefined;
  private wanted = true;
  private isEnding = false;
  private resume_: () => void = () => undefined;
  private mayStart = Promise.resolve();
  private readonly loop: Promise<void>;

  constructor(
    readonly name: ProcessName,
    /** Starts the process; `spawned` gets its pid before it answers, if the pid is known so early. */
    private readonly start: (spawned: (pid: number) => void) => Promise<RunningChild>,
    private readonly events: ProcessEvents,
  ) {
    this.loop = this.keepRunning();
    process.once('exit', this.killNow);
  }

  async untilRunning(): Promise<void> {
    while (this.child === undefined) await delay(50);
  }

  /** Ends the process with the signal, and lets it start again after `downMs`. Returns false if it was down. */
  async end(signal: 'SIGKILL' | 'SIGTERM', downMs: number): Promise<boolean> {
    const { child } = this;
    const pid = child?.pid ?? this.startingPid;
    if (pid === undefined) return false;
    this.isEnding = true;
    this.hold();
    this.signal(pid, signal);
    if (signal === 'SIGTERM' && child !== undefined) await this.hurry(child);
    // A process that is still starting ends later than its signal.
    while (this.isRunning(pid)) await delay(20);
    await delay(downMs);
    this.isEnding = false;
    this.resume_();
    return true;
  }

  /** Stops the process and its children for a while. Returns false if it was down. */
  async freeze(ms: number): Promise<boolean> {
    const { child } = this;
    if (child === undefined) return false;
    // A server of Postgres runs one process for each connection.
    const pids = [child.pid, ...(await childrenOf(child.pid))];
    for (const pid of pids) this.signal(pid, 'SIGSTOP');
    await Promise.race([delay(ms), child.ended]);
    for (const pid of pids) this.signal(pid, 'SIGCONT');
    return true;
  }

  /** Stops the process for good. */
  async stop(): Promise<void> {
    this.wanted = false;
    this.isEnding = true;
    this.resume_();
    await this.child?.stop();
    await this.loop;
    process.off('exit', this.killNow);
  }

  private async keepRunning(): Promise<void> {
    while (this.wanted) {
      await this.mayStart;
      if (!this.wanted) return;
      let child: RunningChild;
      try {
        child = await this.start((pid) => (this.startingPid = pid));
      } catch (error) {
        if (!this.isEnding) this.events.onFailedStart(this.name, (error as Error).message);
        await delay(RESTART_AFTER_MS);
        continue;
      } finally {
        this.startingPid = undefined;
      }
      this.child = child;
      if (!this.wanted) await child.stop();
      const { cause } = await child.ended;
      this.child = undefined;
      if (!this.isEnding && this.wanted) {
        this.events.onEnd(this.name, cause);
        await delay(RESTART_AFTER_MS);
      }
    }
  }

  private isRunning(pid: number): boolean {
    return this.startingPid === pid || this.child?.pid === pid;
  }

  private hold(): void {
    this.mayStart = new Promise((resolve) => (this.resume_ = resolve));
  }

  /**
   * After SIGTERM, Postgres waits for its clients to leave. An operator then sends SIGINT, and so does this
   * function.
   */
  private async hurry(child: RunningChild): Promise<void> {
    const ended = child.ended.then(() => true);
    const within = (ms: number) => Promise.race([ended, delay(ms, false)]);
    if (await within(HURRY_AFTER_MS)) return;
    if (this.name === 'postgres') this.signal(child.pid, 'SIGINT');
    if (await within(STOP_WITHIN_MS)) return;
    this.events.onSlowStop(this.name);
    this.signal(child.pid, 'SIGKILL');
  }

  private signal(pid: number, signal: NodeJS.Signals): void {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has already ended.
    }
  }

  private readonly killNow = (): void => {
    const pid = this.child?.pid ?? this.startingPid;
    if (pid !== undefined) this.signal(pid, 'SIGKILL');
  };
}

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number);
    return ppid === parent && pid !== undefined ? [pid] : [];
  });
}
