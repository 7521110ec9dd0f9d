import type { ReflectiveFields } from './fields.js';

/** What the service fills in itself, whoever gives the account of a job (SPEC L7). */
type FilledField =
  | 'log_id'
  | 'created_at'
  | 'sem_snapshot_hash'
  | 'job_seed'
  | 'stream_head_hash'
  | 'episodic_snapshot_id'
  | 'brainstate_snapshot_id'
  | 'evidence';

/**
 * An account of what was done: a query's, one that a runtime hands over as its job ends, or the service's
 * own. Without a `system_version` it is that of the service which writes the log.
 */
export type LogContent = Omit<ReflectiveFields, FilledField | 'system_version'> & {
  readonly system_version?: string;
};
