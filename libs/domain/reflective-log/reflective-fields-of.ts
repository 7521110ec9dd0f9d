import { reflectiveLogId } from '../determinism/ids.js';
import { seededTimestamp } from '../determinism/seeded-clock.js';
import { readsOf } from '../job/evidence.js';
import { startedJob, type JobState } from '../job/state.js';
import { queryLogContent, type QueryRun } from '../query/log-content.js';
import type { LogContent } from './content.js';
import type { ReflectiveFields } from './fields.js';

/** What a log says beside its job's state. */
export interface LogInputs {
  /** The hash of the job stream's last event. */
  readonly headHash: string;
  /** The version of the service, for content without a `system_version`. */
  readonly systemVersion: string;
  /** The keyed hash of the job's goal, or of "" without one (SPEC I7). */
  readonly goalHash: string;
  /** The run of the query, if the job is a query. */
  readonly run?: QueryRun;
}

/** Returns the log content of a job for which neither a query nor a runtime gives any (SPEC L7). */
function ownContent(state: JobState, goalHash: string): LogContent {
  const { job_seed } = startedJob(state);
  return {
    source: 'system',
    query_id: job_seed,
    query_text_hash: goalHash,
    qcp_summary: {},
    agents_invoked: [],
    agent_outputs: [],
    council_votes: [],
    final_answer: null,
    final_confidence: null,
    repair_loops: 0,
    cache_hit: false,
    runtime_metrics: {},
    redactions: [],
  };
}

/** Returns the log content of a job: from its query, from the runtime, or from the service (SPEC L7). */
const contentOf = (state: JobState, { goalHash, run }: LogInputs): LogContent =>
  state.query !== undefined && run !== undefined
    ? queryLogContent(state.query, run)
    : (state.handed_log ?? ownContent(state, goalHash));

/**
 * Returns the immutable fields of an ended job's own log (SPEC L1, L6, L7): its log content, the
 * snapshots that the job pinned, and its reads as evidence (SPEC J10). @param state the job after all
 * events of its end. @throws TypeError if the job has not ended.
 */
export function reflectiveFieldsOf(state: JobState, inputs: LogInputs): ReflectiveFields {
  const { job_seed, snapshots } = startedJob(state);
  if (state.ended_at === undefined) throw new TypeError(`job ${job_seed} has not ended`);
  const { system_version = inputs.systemVersion, ...content } = contentOf(state, inputs);
  return {
    ...content,
    system_version,
    log_id: reflectiveLogId(job_seed),
    created_at: seededTimestamp(state.seeded_base, state.ended_at),
    job_seed,
    sem_snapshot_hash: snapshots.sem_snapshot_hash,
    episodic_snapshot_id: snapshots.episodic_snapshot_id,
    brainstate_snapshot_id: snapshots.brainstate_snapshot_id,
    stream_head_hash: inputs.headHash,
    evidence: readsOf(state.evidence, state.stream),
  };
}
