import { sha256Hex } from '../determinism/hash.js';
import { reflectiveLogId } from '../determinism/ids.js';
import { seededTimestamp } from '../determinism/seeded-clock.js';
import { readsOf } from '../job/evidence.js';
import { startedJob, type JobState } from '../job/state.js';
import { queryLogContent, type QueryRun } from '../query/log-content.js';
import type { LogContent } from './content.js';
import type { ReflectiveFields } from './fields.js';

/** Returns the log content of a job for which neither a query nor a runtime gives any (SPEC L7). */
function ownContent(state: JobState): LogContent {
  const { job_seed, goal } = startedJob(state);
  return {
    source: 'system',
    query_id: job_seed,
    query_text_hash: sha256Hex(goal ?? ''),
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
const contentOf = (state: JobState, run: QueryRun | undefined): LogContent =>
  state.query !== undefined && run !== undefined
    ? queryLogContent(state.query, run)
    : (state.handed_log ?? ownContent(state));

/**
 * Returns the immutable fields of an ended job's own log (SPEC L1, L6, L7): its log content, the
 * snapshots that the job pinned, and its reads as evidence (SPEC J10). @param state the job after all
 * events of its end. @param headHash the hash of the job stream's last event. @param systemVersion the
 * version of the service, for content without a `system_version`. @param run the run of the query, if
 * the job is a query. @throws TypeError if the job has not ended.
 */
export function reflectiveFieldsOf(
  state: JobState,
  headHash: string,
  systemVersion: string,
  run?: QueryRun,
): ReflectiveFields {
  const { job_seed, snapshots } = startedJob(state);
  if (state.ended_at === undefined) throw new TypeError(`job ${job_seed} has not ended`);
  const { system_version = systemVersion, ...content } = contentOf(state, run);
  return {
    ...content,
    system_version,
    log_id: reflectiveLogId(job_seed),
    created_at: seededTimestamp(state.seeded_base, state.ended_at),
    job_seed,
    sem_snapshot_hash: snapshots.sem_snapshot_hash,
    episodic_snapshot_id: snapshots.episodic_snapshot_id,
    brainstate_snapshot_id: snapshots.brainstate_snapshot_id,
    stream_head_hash: headHash,
    evidence: readsOf(state.evidence, state.stream),
  };
}
