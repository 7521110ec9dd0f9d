import { foldUserId } from '../canonical-key/canonical-key.js';
import type { JobOwner } from '../job/events.js';
import type { Json } from '../json.js';
import type { CommandIdentity } from '../recorded-event.js';
import { hashJson } from './hash.js';

/**
 * Returns the command_id of a request with an Idempotency-Key; `route` is method and path (SPEC I7). Each user of an
 * agent has keys of its own: the answer to one user is not shown to another, and both writes are made (SPEC I9).
 */
export const keyedCommandId = (
  { sub, user_id }: JobOwner,
  route: string,
  idempotencyKey: string,
): string =>
  hashJson([sub, ...(user_id === null ? [] : [foldUserId(user_id)]), route, idempotencyKey]);

/**
 * Returns the identity of a step that follows from an event, in another stream or later in the same one.
 * The command_id is the event's id, so a repeat of the step, immediately or after a crash, adds no event
 * (SPEC I7). `of` names the step and its subject, and must be the same each time; a repeat whose `of`
 * has a different hash is refused.
 */
export const identityOfStep = (caused_by: string, of: Json, trace_id: string): CommandIdentity => ({
  command_id: caused_by,
  body_hash: hashJson(of),
  actor: 'system',
  trace_id,
  evidence: { caused_by },
});
