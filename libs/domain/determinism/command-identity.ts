import type { Json } from '../json.js';
import type { CommandIdentity } from '../recorded-event.js';
import { hashJson } from './hash.js';

/** The command_id of a request that carries an Idempotency-Key; `route` is method and path (SPEC I7). */
export const keyedCommandId = (sub: string, route: string, idempotencyKey: string): string =>
  hashJson([sub, route, idempotencyKey]);

/**
 * The identity of a step that an event causes in another stream, or later in its own. Its command_id is the
 * event's id, so repeating the step, at once or after a crash, adds no event (SPEC I7). `of` names the step
 * and its subject and must be the same on every repeat: a repeat with another hash is refused.
 */
export const identityOfStep = (caused_by: string, of: Json, trace_id: string): CommandIdentity => ({
  command_id: caused_by,
  body_hash: hashJson(of),
  actor: 'system',
  trace_id,
  evidence: { caused_by },
});
