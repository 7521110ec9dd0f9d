import { sameUser } from '../canonical-key/canonical-key.js';
import type { JobOwner } from '../job/events.js';
import type { JsonObject } from '../json.js';
import { mayReadJob, ownUserId } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import type { ReflectiveLogEvent } from './events.js';
import type { ReflectiveLogState } from './state.js';

/** The owner, the user whose it is, and those who judge or audit it (SPEC I9). */
export function mayReadLog(actor: Actor, owner: JobOwner): boolean {
  if (mayReadJob(actor, owner)) return true;
  const own = ownUserId(actor);
  return own !== undefined && owner.user_id !== null && sameUser(own, owner.user_id);
}

/** What was added to a log, as it is listed with it (SPEC L4). */
export const additionsView = (state: ReflectiveLogState): JsonObject => ({
  amendments: state.amendments,
  user_feedback: state.feedback,
  ground_truth_labels: state.labels,
  audit_tags: [...new Set(state.tags.flatMap(({ audit_tags }) => audit_tags))],
  open_review: state.open_review,
});

/** What each command answers with. */
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
