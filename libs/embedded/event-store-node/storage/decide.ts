import { type EventPlace } from './recent-ids.js';
import { type ProposedEvent } from './record.js';
import { type StreamState } from './stream-state.js';

/** The required number of the stream's last event, or one of `Expectation`. */
export type Expected = number;

/** EventStoreDB's special values for an expected revision. */
export const Expectation = { noStream: -1, any: -2, streamExists: -4 } as const;

export type Decision =
  | { readonly kind: 'accepted' }
  /** The same events are already stored; `last` is the number of the last one. */
  | { readonly kind: 'repeated'; readonly last: number }
  | { readonly kind: 'wrong-version'; readonly current: number }
  | { readonly kind: 'tombstoned' };

export interface KnownStream {
  readonly state: StreamState | undefined;
  readonly isTombstoned: boolean;
  /** True if the stream has metadata. EventStoreDB counts such a stream as existing. */
  readonly hasMetadata: () => boolean;
  readonly idAt: (state: StreamState, number: number) => string;
  readonly recent: (id: string) => EventPlace | undefined;
}

/**
 * Decides on an append as EventStoreDB does. An append that expects the stream's last revision is accepted. An append
 * that expects an earlier revision is a retry if the events that follow that revision have the same ids as the events
 * of the append. Otherwise the append fails, except that a deleted stream may be recreated with `no_stream`. An
 * append without an expected revision is accepted unless it repeats recent events.
 */
export function decide(
  expected: Expected,
  events: readonly ProposedEvent[],
  known: KnownStream,
): Decision {
  const { state } = known;
  const current = state?.last ?? -1;
  if (known.isTombstoned) return { kind: 'tombstoned' };
  const wrong: Decision = { kind: 'wrong-version', current };
  if (expected < -1) {
    if (expected === Expectation.streamExists) {
      if (state?.isDeleted) return { kind: 'tombstoned' };
      if (current < 0 && !known.hasMetadata()) return wrong;
    }
    return decideUnbound(state?.name, events, known, wrong);
  }
  if (expected > current) return wrong;
  if (expected === current || !state) return { kind: 'accepted' };
  const isRepeated = (event: ProposedEvent, index: number): boolean => {
    const number = expected + 1 + index;
    return number <= current && known.idAt(state, number) === event.id;
  };
  const [first, ...rest] = events;
  if (first && isRepeated(first, 0)) {
    const isWhole = rest.every((event, index) => isRepeated(event, index + 1));
    return isWhole ? { kind: 'repeated', last: expected + events.length } : wrong;
  }
  return expected === Expectation.noStream && state.isDeleted ? { kind: 'accepted' } : wrong;
}

/**
 * Decides on a soft delete or a tombstone. As in EventStoreDB, a stream that has neither events nor
 * metadata cannot be soft-deleted.
 */
export function decideRemoval(
  kind: 'delete' | 'tombstone',
  expected: Expected,
  known: KnownStream,
): Decision {
  const decision = decide(expected, [], known);
  const isMissing = (known.state?.last ?? -1) < 0 && !known.hasMetadata();
  return decision.kind === 'accepted' && kind === 'delete' && isMissing
    ? { kind: 'wrong-version', current: -1 }
    : decision;
}

function decideUnbound(
  stream: string | undefined,
  events: readonly ProposedEvent[],
  known: KnownStream,
  wrong: Decision,
): Decision {
  const places = events.map((event) => known.recent(event.id));
  const [first] = places;
  if (!first || first.stream !== stream) return { kind: 'accepted' };
  const repeats = places.every(
    (place, index) => place?.stream === stream && place.number === first.number + index,
  );
  return repeats ? { kind: 'repeated', last: first.number + events.length - 1 } : wrong;
}
