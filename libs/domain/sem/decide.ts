import type { AnsweredBy, AnswerTo } from '../decider.js';
import { canCollide, collisionKey, foldTitle, parseKey } from '../canonical-key/canonical-key.js';
import { seededBase, seededTimestamp } from '../determinism/seeded-clock.js';
import { Refusal } from '../errors/refusal.js';
import { heldOf, type Held } from '../held.js';
import type { JsonObject } from '../json.js';
import { requireText } from '../free-text.js';
import type { CollisionClosed, FactDeleted, FactPut, SemEvent, SemSource } from './events.js';
import { factTimestamp, requireFactValue, requireRow } from './fact-limits.js';
import { normalizeTimestamp } from './timestamp.js';
import { isClearedFact } from './cleared-fact.js';
import { currentFact, isSuperseded, type SemState } from './state.js';

/**
 * The commands of a fact. The caller checks permission (SPEC S4) and ownership (SPEC I9) beforehand; see
 * `access.ts`.
 */
export type SemCommand = ClaimKey | CloseCollision | PutFact | DeleteFact;

/** Claims the key of this stream for a raw title (SPEC K4). */
export interface ClaimKey extends AnsweredBy<{ readonly key: string; readonly claimed: true }> {
  readonly type: 'claim';
  readonly title: string;
}

/** Closes the collision in which a title got `key` (SPEC K4). */
export type CloseCollision = { readonly type: 'close_collision' } & CollisionClosed &
  AnsweredBy<CollisionClosed>;

export type PutFact = Held &
  AnsweredBy<FactChanged> & {
    readonly type: 'put';
    readonly source: SemSource;
    /** The time of the write, ISO 8601 UTC; `now` by default. */
    readonly timestamp?: string;
    readonly notes: string | null;
    readonly meta: JsonObject | null;
    /** The consent under which a sealed value is kept (SPEC P4). */
    readonly consent_id?: string;
    /** The request in which the council cleared every finding of the value (SPEC W8). */
    readonly cleared_in?: string;
    /** The wall-clock time of the command, ISO 8601 UTC; the caller records it. */
    readonly now: string;
  };

export interface DeleteFact extends AnsweredBy<FactChanged> {
  readonly type: 'delete';
  readonly source: SemSource;
  readonly timestamp?: string;
  readonly now: string;
}

/** Returns the events of a command. A repeated claim adds no event; its caller gets the key from `titleKey`. */
export function decideSem(command: SemCommand, state: SemState): readonly SemEvent[] {
  parseKey(state.key);
  switch (command.type) {
    case 'claim':
      return claim(command, state);
    case 'close_collision':
      return closeCollision(command, state);
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

function closeCollision(
  { type: _, ...data }: CloseCollision,
  { key, claims, closed_collisions = [] }: SemState,
): readonly SemEvent[] {
  if (data.key === key || ![...claims.values()].includes(data.key))
    throw new Refusal('NOT_FOUND', { what: 'collision', id: data.key });
  if (closed_collisions.includes(data.key)) {
    const what = `the collision of ${data.key}`;
    throw new Refusal('VERSION_CONFLICT', { what, expected: 'open', actual: 'closed' });
  }
  requireText('a reason', data.reason);
  const closed_at = normalizeTimestamp(data.closed_at);
  return [{ type: 'collision_closed', data: { ...data, closed_at } }];
}

/**
 * Returns a free key for a title whose key another title already owns. The key ends in a suffix of six hex digits
 * that depends on a timestamp. If that key is taken, the timestamp one millisecond later gives another suffix.
 */
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
  if (command.cleared_in !== undefined && !isClearedFact(state.key, command))
    throw new Refusal('INVALID_INPUT', {
      reason: 'a cleared value is sealed under the key of its fact',
    });
  const timestamp = factTimestamp(command.timestamp, command.now);
  const superseded = isSuperseded(state, { timestamp, source });
  const held = heldOf(command);
  const kept = groundsOf(command);
  const fact = { key: state.key, ...held, timestamp, source, notes, meta, superseded, ...kept };
  requireRow(fact);
  return fact;
}

/** Returns why a sealed value is kept; no field for a value in clear. */
const groundsOf = ({ consent_id, cleared_in }: Pick<PutFact, 'consent_id' | 'cleared_in'>) => ({
  ...(consent_id === undefined ? {} : { consent_id }),
  ...(cleared_in === undefined ? {} : { cleared_in }),
});

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

/** Makes the refusal for a key without a fact, with the same `result` as `get` (SPEC S1, §10). */
export const missing = (key: string): Refusal =>
  new Refusal('SEM_NOT_FOUND', { key }, { result: { exists: false, value: null } });

/**
 * Returns the key of a title without claiming it: the key that the title owns, or the generated key if
 * nobody owns that (SPEC K4). @throws Refusal VERSION_CONFLICT if another title owns the generated key.
 */
export function titleKey(state: SemState, rawTitle: string): { key: string; claimed: boolean } {
  const own = state.claims.get(foldTitle(rawTitle));
  if (own !== undefined) return { key: own, claimed: true };
  if (state.claims.size === 0) return { key: state.key, claimed: false };
  const [actual, expected] = ['owned by another title', 'unclaimed or owned by this title'];
  throw new Refusal('VERSION_CONFLICT', { what: `key ${state.key}`, expected, actual });
}

/** Returns the command that an event recorded, for replay. The event's timestamp stands in for the current time. */
export function commandOfSem(event: SemEvent): SemCommand {
  switch (event.type) {
    case 'key_claimed':
    case 'collision_event':
      return { type: 'claim', title: event.data.title };
    case 'collision_closed':
      return { type: 'close_collision', ...event.data };
    case 'fact_put': {
      const { timestamp, source, notes, meta } = event.data;
      const put = { source, timestamp, notes, meta, now: timestamp, ...heldOf(event.data) };
      return { type: 'put', ...put, ...groundsOf(event.data) };
    }
    case 'fact_deleted': {
      const { timestamp, source } = event.data;
      return { type: 'delete', source, timestamp, now: timestamp };
    }
  }
}

/** The answer to a put or a deletion. */
export type FactChanged = {
  readonly key: string;
  readonly timestamp: string;
  readonly source: SemSource;
  readonly superseded: boolean;
};

export function answerOfSem(event: SemEvent): AnswerTo<SemCommand> {
  switch (event.type) {
    case 'key_claimed':
    case 'collision_event':
      return { key: event.data.key, claimed: true };
    case 'collision_closed':
      return event.data;
    case 'fact_put':
    case 'fact_deleted': {
      const { key, timestamp, source, superseded } = event.data;
      return { key, timestamp, source, superseded };
    }
  }
}
