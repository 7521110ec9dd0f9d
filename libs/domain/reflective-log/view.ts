import { sameUser } from '../canonical-key/canonical-key.js';
import type { JobOwner } from '../job/events.js';
import type { JsonObject } from '../json.js';
import { mayReadJob, ownUserId } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import type { ReflectiveLogEvent } from './events.js';
import type { ReflectiveLogState } from './state.js';

/** The owner, the owner's user, council, auditors and admins may read a log (SPEC I9). */
export function mayReadLog(actor: Actor, owner: JobOwner): boolean {
  if (mayReadJob(actor, owner)) return true;
  const own = ownUserId(actor);
  return own !== undefined && owner.user_id !== null && sameUser(own, owner.user_id);
}

/** The additions to a log, as its view lists them (SPEC L4). */
export const additionsView = (state: ReflectiveLogState): JsonObject => ({
  amendments: state.amendments,
  user_feedback: state.feedback,
  ground_truth_labels: state.labels,
  audit_tags: [...new Set(state.tags.flatMap(({ audit_tags }) => audit_tags))],
  open_review: state.open_review,
});

/** The answer to each command. */
export function answerOf(input: ReflectiveLogEvent, stateAfter: ReflectiveLogState): JsonObject {
  switch (input.type) {
    case 'reflective_log_written': {
      const { log, signature } = input.data;
      return { log_id: log.log_id, signature };
    }
    case 'tags_added':
      return { audit_tags: additionsView(stateAfter)['audit_tags'] ?? [] };
    default:
      return { ...input.data };
  }
}
