import { sha256Hex } from '../determinism/hash.js';
import { reflectiveLogId } from '../determinism/ids.js';
import { seededTimestamp } from '../determinism/seeded-clock.js';
import { readsOf } from '../job/evidence.js';
import { startedJob, type JobState } from '../job/state.js';
import { queryLogContent, type QueryRun } from '../query/log-content.js';
import type { LogContent } from './content.js';
import type { ReflectiveFields } from './fields.js';

/** The service's own account of a job that nobody else gave one of (SPEC L7). */
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

/** Whose account a job's log gives: the query pipeline's, the runtime's, or else the service's own (SPEC L7). */
const contentOf = (state: JobState, run: QueryRun | undefined): LogContent =>
  state.query !== undefined && run !== undefined
    ? queryLogContent(state.query, run)
    : (state.handed_log ?? ownContent(state));

/**
 * The immutable fields of an ended job's own log (SPEC L1, L6, L7): the account of what was done, the
 * snapshots that the job pinned, and what it read for its decisions as evidence (SPEC J10).
 * @param state the job after everything that its end owed.
 * @param headHash the hash of the job stream's last event.
 * @param systemVersion of the service, for an account that names none.
 * @param run of a job that is a query.
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
