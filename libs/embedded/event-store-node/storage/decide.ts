import { type EventPlace } from './recent-ids.js';
import { type ProposedEvent } from './record.js';
import { type StreamState } from './stream-state.js';

/** The required number of the stream's last event, or one of `Expectation`. */
export type Expected = number;

/** EventStoreDB's special values for an expected revision. */
export const Expectation = { noStream: -1, any: -2, streamExists: -4 } as const;

export type Decision =
  | { readonly kind: 'accepted' }
  /** The same events are already stored; `last` is the number of the last of them. */
  | { readonly kind: 'repeated'; readonly last: number }
  | { readonly kind: 'wrong-version'; readonly current: number }
  | { readonly kind: 'tombstoned' };

export interface KnownStream {
  readonly state: StreamState | undefined;
  readonly idAt: (state: StreamState, number: number) => string;
  readonly recent: (id: string) => EventPlace | undefined;
}

/**
 * Decides on a write as EventStoreDB does. A write at the stream's last event is accepted; one at an earlier
 * revision counts as a retry if the same ids follow there, and fails otherwise. A write without a revision is
 * accepted unless it repeats recent events.
 */
export function decide(
  expected: Expected,
  events: readonly ProposedEvent[],
  known: KnownStream,
): Decision {
  const { state } = known;
  const current = state?.last ?? -1;
  if (state?.tombstoned) return { kind: 'tombstoned' };
  const wrong: Decision = { kind: 'wrong-version', current };
  if (expected < -1) {
    if (expected === Expectation.streamExists && (current < 0 || state?.isDeleted)) return wrong;
    return decideUnbound(state?.name, events, known, wrong);
  }
  if (expected > current) return wrong;
  if (expected === current || !state) return { kind: 'accepted' };
  if (expected === Expectation.noStream && state.isDeleted) return { kind: 'accepted' };
  const repeats =
    events.length > 0 &&
    expected + events.length <= current &&
    events.every((event, index) => known.idAt(state, expected + 1 + index) === event.id);
  return repeats ? { kind: 'repeated', last: expected + events.length } : wrong;
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
