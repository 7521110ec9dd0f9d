import { createHash, type KeyObject } from 'node:crypto';
import { inSlices } from '#bounded/slices.js';
import type { Slices } from '#domain/slices.js';
import type { EventStore } from '#event-store/event-store.js';
import type { LogCheck, StreamHead } from '#event-store/log-check.js';
import { checkLog, type CheckLogOptions } from '#event-store/verify-log.js';
import { signed } from '#platform/signing/signature.js';
import { type Checkpoint, headLine, type SignedCheckpoint } from './checkpoint-file.js';
import { sorted } from './sorted.js';

/** A checkpoint before it is written to a file. */
export interface MadeCheckpoint {
  readonly checkpoint: SignedCheckpoint;
  /** The heads in the order of the file. */
  readonly heads: readonly StreamHead[];
}

/** The number of heads of one slice. */
const HEADS_AT_ONCE = 200;

/**
 * Checks the whole log as `checkLog` does, and signs where every stream of it ends (SPEC I6). Returns undefined if the
 * log is empty. Fails like `checkLog`.
 */
export async function makeCheckpoint(
  store: EventStore,
  key: KeyObject,
  options: CheckLogOptions,
): Promise<MadeCheckpoint | undefined> {
  const created_at = new Date().toISOString();
  const { check, events, end } = await checkLog(store, options);
  if (end === undefined) return undefined;
  const heads = await inSlices(sorted(await inSlices(headsOf(check)), isBefore));
  const checkpoint: Checkpoint = {
    ...{ kind: 'log_checkpoint', version: 1 },
    ...{ created_at, position: end.toString(), events, streams: heads.length },
    heads_hash: await inSlices(hashOf(heads)),
  };
  return { checkpoint: await signed(checkpoint, key), heads };
}

function* headsOf(check: LogCheck): Slices<StreamHead[]> {
  const heads: StreamHead[] = [];
  for (const head of check.heads()) if (heads.push(head) % HEADS_AT_ONCE === 0) yield;
  return heads;
}

/** Orders heads by the UTF-16 code units of their streams' names, so that equal logs have equal files. */
const isBefore = ({ stream: left }: StreamHead, { stream: right }: StreamHead): boolean =>
  left < right;

function* hashOf(heads: readonly StreamHead[]): Slices<string> {
  const hash = createHash('sha256');
  for (const [index, head] of heads.entries()) {
    hash.update(`${headLine(head)}\n`);
    if (index % HEADS_AT_ONCE === 0) yield;
  }
  return hash.digest('hex');
}
