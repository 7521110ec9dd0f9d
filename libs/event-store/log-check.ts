import { appendedId, eventId } from '#domain/determinism/ids.js';
import { rulesFor, type StreamRules } from '#domain/replay/stream-rules.js';
import { upcast } from '#domain/upcast.js';
import { BEFORE_FIRST, verifyLink } from './codec.js';
import type { LoggedEvent } from './event-store.js';

/** The names of the problems. Scripts and alerts use them, so a name never changes. */
export const INTEGRITY_PROBLEMS = [
  'missing',
  'repeated',
  'wrong_hash',
  'wrong_event_id',
  'wrong_appended_id',
  'unknown_category',
  'unknown_type',
  'unreadable',
  'diverged',
] as const;
export type IntegrityProblem = (typeof INTEGRITY_PROBLEMS)[number];

export interface IntegrityFinding {
  readonly stream: string;
  readonly number: number;
  readonly problem: IntegrityProblem;
}

/** The last event of a stream: its number, and its hash as it is stored. */
export interface StreamHead {
  readonly stream: string;
  readonly number: number;
  readonly hash: string;
}

interface CheckedStream extends Omit<StreamHead, 'stream'> {
  /** True if the stream has no finding so far. */
  readonly isSound: boolean;
}

/** Returns an event's hash as it is stored. In a forged event it may have any form. */
export const storedHash = ({ metadata }: LoggedEvent): string => String(metadata.hash);

const NEW_STREAM: CheckedStream = { ...BEFORE_FIRST, isSound: true };

/**
 * Checks the events of a whole log, which it gets in log order: their numbers, hash chains, ids and types. It keeps
 * only the number and hash of each stream's last event, so the log need not fit in memory.
 */
export class LogCheck {
  readonly #streams = new Map<string, CheckedStream>();

  get streams(): number {
    return this.#streams.size;
  }

  /** Checks the next event. Returns its first problem; undefined if it has none. */
  take(event: LoggedEvent): IntegrityFinding | undefined {
    const { stream, number } = event;
    const last = this.#streams.get(stream) ?? NEW_STREAM;
    const finding = findingIn(event, last);
    const isSound = last.isSound && finding === undefined;
    // The next event is compared with this event as it is stored, so one forged event is one finding.
    const end = number > last.number ? { number, hash: storedHash(event) } : last;
    this.#streams.set(stream, { number: end.number, hash: end.hash, isSound });
    return finding;
  }

  /** The heads of the streams of the product's categories. Streams of other programs have no hash chain. */
  *heads(): Generator<StreamHead> {
    for (const [stream, { number, hash }] of this.#streams)
      if (rulesFor(stream) !== undefined) yield { stream, number, hash };
  }

  /** The streams without a finding, each with the number of its last event. */
  *soundStreams(): Generator<{ readonly stream: string; readonly last: number }> {
    for (const [stream, { number, isSound }] of this.#streams)
      if (isSound) yield { stream, last: number };
  }
}

function findingIn(event: LoggedEvent, last: CheckedStream): IntegrityFinding | undefined {
  const { stream, number } = event;
  const rules = rulesFor(stream);
  // Another program's stream is one finding, whatever the number of its events.
  if (rules === undefined)
    return last === NEW_STREAM ? { stream, number, problem: 'unknown_category' } : undefined;
  const next = last.number + 1;
  if (number > next) return { stream, number: next, problem: 'missing' };
  if (number < next) return { stream, number, problem: 'repeated' };
  const problem = problemOf(event, last, rules);
  return problem && { stream, number, problem };
}

function problemOf(
  event: LoggedEvent,
  last: CheckedStream,
  { schemas }: StreamRules,
): IntegrityProblem | undefined {
  const { id, stream, number, type, metadata } = event;
  const { event_id, command_id } = metadata;
  if (fails(() => verifyLink(last, event))) return 'wrong_hash';
  if (event_id !== eventId(stream, number, type)) return 'wrong_event_id';
  if (typeof command_id !== 'string' || id !== appendedId(event_id, command_id))
    return 'wrong_appended_id';
  if (!Object.hasOwn(schemas, type)) return 'unknown_type';
  return fails(() => upcast(schemas, event)) ? 'unreadable' : undefined;
}

/** True if the check throws. A forged event can have any form, so every error counts as a problem. */
function fails(check: () => unknown): boolean {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}
