import { type EventSchema, input } from '../decider.js';
import type { JobOwner } from '../job/events.js';

/** Every event of `session-<session_id>`. */
export type SessionEvent =
  /** The first start or interaction claimed the session for its caller (SPEC I9). */
  | {
      readonly type: 'session_claimed';
      readonly data: { readonly session_id: string; readonly owner: JobOwner };
    }
  /** A job of the session ended. The next job of the session starts with this job's CWM (SPEC J1). */
  | { readonly type: 'session_job_ended'; readonly data: { readonly job_seed: string } };

export const sessionSchemas: Readonly<Record<SessionEvent['type'], EventSchema>> = {
  session_claimed: input,
  session_job_ended: input,
};
