import type { JobCommand } from '#client/jobs.js';

const MAX_COMMANDS = 500;
/**
 * The maximum bytes of a batch. An append takes at most 900 KiB (SPEC J9). The importer can only estimate the size,
 * and a value that the service seals gets a third longer, so there is a margin.
 */
const MAX_BYTES = 660 * 1024;

/** Groups commands, in order, into requests that the service can append atomically. */
export class Batches {
  readonly #batches: JobCommand[][] = [];
  #bytes = 0;

  /** @param bytes the estimated size of the command's events in the log. */
  add(command: JobCommand, bytes: number): void {
    const last = this.#batches.at(-1);
    if (last === undefined || last.length >= MAX_COMMANDS || this.#bytes + bytes > MAX_BYTES) {
      this.#batches.push([command]);
      this.#bytes = bytes;
    } else {
      last.push(command);
      this.#bytes += bytes;
    }
  }

  all(): readonly (readonly JobCommand[])[] {
    return this.#batches;
  }
}
