import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailure, EXIT } from '../exit-code.js';
import { coloursFor } from '../terminal/colour.js';

const CHAPTER_PAUSE_MS = 700;
const LINE_PAUSE_MS = 250;
const INDENT = '   ';

/** Prints the steps of the demo, at reading speed on a terminal, and without pauses elsewhere. */
export class Story {
  readonly #colours = coloursFor(process.stdout);
  #chapters = 0;

  constructor(private readonly silent: boolean) {}

  /** Starts a new step. */
  async chapter(title: string): Promise<void> {
    this.#chapters += 1;
    const number = String(this.#chapters).padStart(2);
    await this.#line(
      `\n${this.#colours.cyan(number)} ${this.#colours.bold(title)}`,
      CHAPTER_PAUSE_MS,
    );
  }

  /** Prints what happens and why. */
  tell(text: string): Promise<void> {
    return this.#line(INDENT + text, LINE_PAUSE_MS);
  }

  /** Prints the service's answer. */
  show(text: string): Promise<void> {
    return this.#line(`${INDENT}  ${this.#colours.dim('›')} ${text}`, LINE_PAUSE_MS);
  }

  /** Prints a checked result; throws if the check failed. */
  async check(holds: boolean, what: string): Promise<void> {
    if (!holds) throw new CommandFailure(EXIT.broken, `This does not hold: ${what}`);
    await this.#line(`${INDENT}  ${this.#colours.green('✔')} ${what}`, LINE_PAUSE_MS);
  }

  async #line(text: string, pauseMs: number): Promise<void> {
    if (this.silent) return;
    process.stdout.write(`${text}\n`);
    if (process.stdout.isTTY) await pause(pauseMs);
  }
}
