import type { JobCommand } from '#client/jobs.js';
import { MAX_COMMANDS } from '#domain/job/constants.js';

/**
 * The maximum bytes of a batch. An append takes at most 900 KiB (SPEC J9). The importer can only estimate the size,
 * and a value that the service seals gets a third longer, so there is a margin.
 */
const MAX_BYTES = 660 * 1024;
/** The maximum bytes of the commands in a body: 1 MiB (SPEC F4) less what stands around them. */
const MAX_BODY_BYTES = 1024 * 1024 - 64;

/** Groups commands, in order, into requests that the service can append atomically. */
export class Batches {
  readonly #batches: JobCommand[][] = [];
  #bytes = 0;
  #bodyBytes = 0;

  /** @param bytes the estimated size of the command's events in the log. */
  add(command: JobCommand, bytes: number): void {
    const bodyBytes = Buffer.byteLength(JSON.stringify(command)) + 1;
    const last = this.#batches.at(-1);
    const isFull =
      last === undefined ||
      last.length >= MAX_COMMANDS ||
      this.#bytes + bytes > MAX_BYTES ||
      this.#bodyBytes + bodyBytes > MAX_BODY_BYTES;
    if (isFull) {
      this.#batches.push([command]);
      this.#bytes = 0;
      this.#bodyBytes = 0;
    } else {
      last.push(command);
    }
    this.#bytes += bytes;
    this.#bodyBytes += bodyBytes;
  }

  all(): readonly (readonly JobCommand[])[] {
    return this.#batches;
  }
}
