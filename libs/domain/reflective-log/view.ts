import { foldUserId, sameUser } from '../canonical-key/canonical-key.js';
import type { JobOwner } from '../job/events.js';
import type { JsonObject } from '../json.js';
import { mayReadJob, ownedBy, type OwnedBy, ownUserId } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import type { ReflectiveLogEvent } from './events.js';
import type { ReflectiveLogState } from './state.js';

/** The logs that an actor may read if it does not read those of every owner (SPEC I9). */
export interface ReadableLogs {
  /** Selects the logs that the actor owns. */
  readonly owner: OwnedBy;
  /** Selects the logs of this user, folded; null if the actor is not bound to a user. */
  readonly user: string | null;
}

export function logsReadableBy(actor: Actor): ReadableLogs {
  const own = ownUserId(actor);
  return { owner: ownedBy(actor), user: own === undefined ? null : foldUserId(own) };
}

/** True for the owner, the owner's user, the council, auditors and admins (SPEC I9). */
export function mayReadLog(actor: Actor, owner: JobOwner): boolean {
  if (mayReadJob(actor, owner)) return true;
  const own = ownUserId(actor);
  return own !== undefined && owner.user_id !== null && sameUser(own, owner.user_id);
}

/** Returns the additions to a log, as the view of the log lists them (SPEC L4, G3). */
export const additionsView = (state: ReflectiveLogState) => ({
  amendments: state.amendments,
  user_feedback: state.feedback,
  ground_truth_labels: state.labels,
  audit_tags: [...new Set(state.tags.flatMap(({ audit_tags }) => audit_tags))],
  council_events: state.council_events ?? [],
  open_review: state.open_review,
});

/** Returns the answer to a command. */
export function answerOf(input: ReflectiveLogEvent, stateAfter: ReflectiveLogState): JsonObject {
  switch (input.type) {
    case 'reflective_log_written': {
      const { log, signature } = input.data;
      return { log_id: log.log_id, signature };
    }
    case 'tags_added':
      return { audit_tags: additionsView(stateAfter).audit_tags };
    default:
      return { ...input.data };
  }
}
