import { setImmediate as afterThisTurn } from 'node:timers/promises';
import { rulesFor } from '#domain/replay/stream-rules.js';
import { readRecorded } from './aggregate-store.js';
import type { EventStore, LoggedEvent } from './event-store.js';
import { type IntegrityFinding, LogCheck } from './log-check.js';
import { wholeLog } from './whole-log.js';

/** The number of events that are checked before other work in this process gets its turn. */
const EVENTS_PER_TURN = 100;

export interface CheckLogOptions {
  /** Called with each event, in log order, after its check. */
  readonly onEvent?: (event: LoggedEvent) => void;
  readonly onEvents?: (events: number) => void;
  readonly onFinding: (finding: IntegrityFinding) => void;
  readonly signal?: AbortSignal;
}

export interface VerifyLogOptions extends CheckLogOptions {
  /** Asked after the events are checked: true if the streams are decided again as well. */
  readonly withDecisions: () => boolean;
  readonly onDecided?: (streams: number) => void;
}

export interface CheckedLog {
  readonly check: LogCheck;
  readonly events: number;
  /** The position of the log's last event; undefined if the log is empty. */
  readonly end: bigint | undefined;
}

export interface VerifiedLog {
  readonly events: number;
  readonly streams: number;
  /** The number of streams that were decided again. */
  readonly decided: number;
}

/**
 * Checks every event of every stream in one pass over the log, up to its end at the time of the call.
 * Fails with `EventStoreUnavailable`, and with an `AbortError` if the signal aborts.
 */
export async function checkLog(
  store: EventStore,
  { onEvent, onEvents, onFinding, signal }: CheckLogOptions,
): Promise<CheckedLog> {
  const check = new LogCheck();
  const end = await store.lastPosition();
  let events = 0;
  for await (const page of wholeLog(store, end, signal)) {
    for (const event of page) {
      const finding = check.take(event);
      if (finding !== undefined) onFinding(finding);
      onEvent?.(event);
      events += 1;
      if (events % EVENTS_PER_TURN === 0) await afterThisTurn();
    }
    onEvents?.(page.length);
  }
  return { check, events, end };
}

/**
 * Verifies the whole log as `checkLog` does (SPEC I6). On request, it then decides each stream again that
 * has no finding. Fails like `checkLog`.
 */
export async function verifyLog(
  store: EventStore,
  { withDecisions, onDecided, ...options }: VerifyLogOptions,
): Promise<VerifiedLog> {
  const { onFinding, signal } = options;
  const { check, events } = await checkLog(store, options);
  let decided = 0;
  if (withDecisions())
    for (const { stream, last } of check.soundStreams()) {
      signal?.throwIfAborted();
      const finding = await decisionFinding(store, stream, last);
      if (finding !== undefined) onFinding(finding);
      decided += 1;
      onDecided?.(1);
    }
  return { events, streams: check.streams, decided };
}

/** Decides a stream again up to its event `last`. */
async function decisionFinding(
  store: EventStore,
  stream: string,
  last: number,
): Promise<IntegrityFinding | undefined> {
  const rules = rulesFor(stream);
  if (rules === undefined) return undefined;
  const report = await rules.replay(stream, readRecorded(store, stream, { to: last }));
  const { code, divergence, events_checked } = report;
  if (code === 'REPLAY_DIVERGENCE' && divergence !== undefined)
    return { stream, number: divergence.number, problem: 'diverged' };
  // The log has the event, but a read of the stream does not return it, as after a truncation.
  const number = divergence?.number ?? events_checked;
  return number > last ? undefined : { stream, number, problem: 'missing' };
}
