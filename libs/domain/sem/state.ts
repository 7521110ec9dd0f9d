import { byteOrder } from '../determinism/ids.js';
import { keyOfSemStream } from '../stream-names.js';
import type { FactDeleted, FactPut, SemEvent } from './events.js';

export interface SemState {
  readonly stream: string;
  readonly key: string;
  readonly eventCount: number;
  /** For each folded title, the key that it owns (SPEC K4). */
  readonly claims: ReadonlyMap<string, string>;
  /** The keys of the closed collisions. Missing without one, so that older states keep their hash. */
  readonly closed_collisions?: readonly string[];
  /** The write that wins so far; it can be a deletion (SPEC S3). */
  readonly winner: Winner | null;
}

/** A write that stands: a put or a deletion. */
export type Winner =
  | { readonly deleted: false; readonly fact: FactPut }
  | { readonly deleted: true; readonly fact: FactDeleted };

export const initialSemState = (stream: string): SemState => ({
  stream,
  key: keyOfSemStream(stream),
  eventCount: 0,
  claims: new Map(),
  winner: null,
});

export function evolveSem(state: SemState, event: SemEvent): SemState {
  const counted = { ...state, eventCount: state.eventCount + 1 };
  switch (event.type) {
    case 'key_claimed':
    case 'collision_event':
      return { ...counted, claims: new Map(state.claims).set(event.data.title, event.data.key) };
    case 'collision_closed': {
      const { closed_collisions = [] } = state;
      return { ...counted, closed_collisions: [...closed_collisions, event.data.key] };
    }
    case 'fact_put':
      if (event.data.superseded) return counted;
      return { ...counted, winner: { deleted: false, fact: event.data } };
    case 'fact_deleted':
      if (event.data.superseded) return counted;
      return { ...counted, winner: { deleted: true, fact: event.data } };
  }
}

/** Returns the current fact, or undefined if the fact was deleted or never put (SPEC S1). */
export const currentFact = ({ winner }: SemState): FactPut | undefined =>
  winner === null || winner.deleted ? undefined : winner.fact;

/**
 * True if another write wins: one with a later timestamp or, at the same time, with a larger source
 * (SPEC S3). Of equal sources the later event wins.
 */
export function isSuperseded(
  { winner }: Pick<SemState, 'winner'>,
  write: { readonly timestamp: string; readonly source: string },
): boolean {
  if (winner === null) return false;
  const { timestamp, source } = winner.fact;
  if (timestamp !== write.timestamp) return timestamp > write.timestamp;
  return byteOrder(source, write.source) > 0;
}
