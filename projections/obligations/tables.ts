import { instant, int, type RowOf, text } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

export type ObligationKind =
  | 'settle_job'
  | 'link_session'
  | 'write_reflective_log'
  | 'finish_query'
  | 'expire_request'
  | 'execute_request'
  | 'execute_erasure'
  | 'finish_interaction'
  | 'delete_fact'
  | 'withhold_episode';

/** The obligations of the log: one row until the event that settles it arrives. */
export const OBLIGATION = readTable('obligations.obligation', {
  key: ['kind', 'stream'],
  columns: {
    kind: text<ObligationKind>(),
    stream: text(),
    /** `infinity` while the due time is unknown. */
    due_at: instant(),
  },
  indexes: { obligation_due: '(due_at)' },
});
export type ObligationRow = RowOf<typeof OBLIGATION>;

/** The consents that were revoked. */
export const REVOKED_CONSENT = readTable('obligations.revoked_consent', {
  key: ['consent_id'],
  columns: { consent_id: text() },
});

/** The requests on episodes of jobs, for as long as they exist: the job's ReflectiveLog lists their events. */
export const JOB_REQUEST = readTable('obligations.job_request', {
  key: ['stream'],
  columns: {
    stream: text(),
    log_id: text(),
    /** The number of the request's last event for the log; -1 for none. */
    last_number: int(),
    /** The number of the last event that the log lists; -1 for none. */
    listed_number: int(),
    due_at: instant(),
  },
  indexes: { job_request_unlisted: '(due_at) where listed_number < last_number' },
});
