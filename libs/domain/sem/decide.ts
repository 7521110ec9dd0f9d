import { canCollide, collisionKey, foldTitle, parseKey } from '../canonical-key/canonical-key.js';
import { seededBase, seededTimestamp } from '../determinism/seeded-clock.js';
import { Refusal } from '../errors/refusal.js';
import { heldOf, type Held } from '../held.js';
import type { JsonObject } from '../json.js';
import type { FactDeleted, FactPut, SemEvent, SemSource } from './events.js';
import { factTimestamp, requireFactValue, requireRow } from './fact-limits.js';
import { currentFact, isSuperseded, type SemState } from './state.js';

/** The caller checks permission (SPEC S4) and ownership (SPEC I9) before: see `access.ts`. */
export type SemCommand = ClaimKey | PutFact | DeleteFact;

/** Claims the key of this stream for a raw title (SPEC K4). */
export interface ClaimKey {
  readonly type: 'claim';
  readonly title: string;
}

export type PutFact = Held & {
  readonly type: 'put';
  readonly source: SemSource;
  /** ISO 8601 UTC; `now` if absent. */
  readonly timestamp?: string;
  readonly notes: string | null;
  readonly meta: JsonObject | null;
  /** The wall clock, recorded by the caller: ISO 8601 UTC. */
  readonly now: string;
};

export interface DeleteFact {
  readonly type: 'delete';
  readonly source: SemSource;
  readonly timestamp?: string;
  readonly now: string;
}

/** A repeated claim adds no event; the caller then gets the key from `titleKey`. */
export function decideSem(command: SemCommand, state: SemState): readonly SemEvent[] {
  parseKey(state.key);
  switch (command.type) {
    case 'claim':
      return claim(command, state);
    case 'put':
      return [{ type: 'fact_put', data: put(command, state) }];
    case 'delete':
      return [{ type: 'fact_deleted', data: deletion(command, state) }];
  }
}

function claim(command: ClaimKey, state: SemState): readonly SemEvent[] {
  if (!canCollide(state.key))
    throw new Refusal('INVALID_INPUT', { reason: 'a key in scope user is claimed by its owner' });
  const title = foldTitle(command.title);
  if (state.claims.has(title)) return [];
  if (state.claims.size === 0) return [{ type: 'key_claimed', data: { title, key: state.key } }];
  return [{ type: 'collision_event', data: { title, key: freeCollisionKey(state) } }];
}

/** A suffix of six hex digits can collide; then the timestamp of the next millisecond gives another. */
function freeCollisionKey({ stream, key, claims, eventCount }: SemState): string {
  const owned = new Set(claims.values());
  const base = seededBase(stream);
  for (let number = eventCount; ; number += 1) {
    const candidate = collisionKey(key, seededTimestamp(base, number));
    if (!owned.has(candidate)) return candidate;
  }
}

function put(command: PutFact, state: SemState): FactPut {
  requireFactValue(command);
  const { source, notes, meta } = command;
  const timestamp = factTimestamp(command.timestamp, command.now);
  const superseded = isSuperseded(state, { timestamp, source });
  const held = heldOf(command);
  const fact = { key: state.key, ...held, timestamp, source, notes, meta, superseded };
  requireRow(fact);
  return fact;
}

function deletion(command: DeleteFact, state: SemState): FactDeleted {
  if (currentFact(state) === undefined) throw missing(state.key);
  const { source } = command;
  const timestamp = factTimestamp(command.timestamp, command.now);
  return {
    key: state.key,
    timestamp,
    source,
    superseded: isSuperseded(state, { timestamp, source }),
  };
}

/** The refusal for a key without a fact, with the `result` that `get` returns for it (SPEC S1, §10). */
export const missing = (key: string): Refusal =>
  new Refusal('SEM_NOT_FOUND', { key }, { result: { exists: false, value: null } });

/**
 * The key of a title, without a claim: the key that the title owns, or the generated key if no title owns
 * it (SPEC K4).
 * @throws Refusal VERSION_CONFLICT if another title owns it.
 */
export function titleKey(state: SemState, rawTitle: string): { key: string; claimed: boolean } {
  const own = state.claims.get(foldTitle(rawTitle));
  if (own !== undefined) return { key: own, claimed: true };
  if (state.claims.size === 0) return { key: state.key, claimed: false };
  const [actual, expected] = ['owned by another title', 'unclaimed or owned by this title'];
  throw new Refusal('VERSION_CONFLICT', { what: `key ${state.key}`, expected, actual });
}

/** Returns the command that an event recorded, for replay. The event's own timestamp serves as the current time. */
export function commandOfSem(event: SemEvent): SemCommand {
  switch (event.type) {
    case 'key_claimed':
    case 'collision_event':
      return { type: 'claim', title: event.data.title };
    case 'fact_put': {
      const { timestamp, source, notes, meta } = event.data;
      return { type: 'put', ...heldOf(event.data), source, timestamp, notes, meta, now: timestamp };
    }
    case 'fact_deleted': {
      const { timestamp, source } = event.data;
      return { type: 'delete', source, timestamp, now: timestamp };
    }
  }
}

type SemAnswer =
  | { readonly key: string; readonly claimed: true }
  | {
      readonly key: string;
      readonly timestamp: string;
      readonly source: SemSource;
      readonly superseded: boolean;
    };

/** The answer to a claim, a put or a deletion. */
export function answerOfSem(event: SemEvent): SemAnswer {
  switch (event.type) {
    case 'key_claimed':
    case 'collision_event':
      return { key: event.data.key, claimed: true };
    case 'fact_put':
    case 'fact_deleted': {
      const { key, timestamp, source, superseded } = event.data;
      return { key, timestamp, source, superseded };
    }
  }
}
