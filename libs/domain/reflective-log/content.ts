import type { ReflectiveFields } from './fields.js';

/** The fields whose values always come from the service (SPEC L7). */
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
 * The part of a job's log that describes its work. It comes from a query, from the runtime that ends the
 * job, or from the service. Without a `system_version`, the log gets the version of the service.
 */
export type LogContent = Omit<ReflectiveFields, FilledField | 'system_version'> & {
  readonly system_version?: string;
};
