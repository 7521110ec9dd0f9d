import { setImmediate as afterThisTurn } from 'node:timers/promises';
import { inSlices } from '#bounded/slices.js';
import type { EventStore } from '#event-store/event-store.js';
import type { IntegrityFinding, StreamHead } from '#event-store/log-check.js';
import { SinceCheckpoint, type SinceFinding } from '#event-store/since-checkpoint.js';
import { type VerifiedLog, verifyLog, type VerifyLogOptions } from '#event-store/verify-log.js';

/** A finding of a verification, or of the comparison with a checkpoint. */
export type LogFinding = IntegrityFinding | SinceFinding;

export interface CompareLogOptions extends Omit<VerifyLogOptions, 'onEvent' | 'onFinding'> {
  readonly onFinding: (finding: LogFinding) => void;
  /** Called after streams were read whose events the log has. */
  readonly onStreams?: (streams: number) => void;
}

/** The number of findings after which other work in this process gets its turn. */
const FINDINGS_PER_TURN = 100;

/**
 * Verifies the whole log, and compares it with the heads of its streams at an earlier checkpoint (docs/checkpoints.md).
 * Fails like `verifyLog`.
 */
export async function compareLog(
  store: EventStore,
  heads: readonly StreamHead[],
  { onStreams = () => undefined, ...options }: CompareLogOptions,
): Promise<VerifiedLog> {
  const since = await inSlices(SinceCheckpoint.with(heads));
  const { onFinding, signal } = options;
  const verified = await verifyLog(store, { ...options, onEvent: (event) => since.take(event) });
  let found = 0;
  for (const finding of since.findings()) {
    onFinding(finding);
    found += 1;
    if (found % FINDINGS_PER_TURN === 0) await afterThisTurn();
  }
  const onRead = (streams: number): void => {
    signal?.throwIfAborted();
    onStreams(streams);
  };
  for await (const finding of since.hidden(store, onRead)) onFinding(finding);
  return verified;
}
