import { hashJson } from '../determinism/hash.js';
import { SEED_PATTERN } from '../determinism/ids.js';
import { seededBase } from '../determinism/seeded-clock.js';
import { Refusal } from '../errors/refusal.js';
import { piiRedacted, redactionsOf } from '../privacy/redactions.js';
import { jobStream } from '../stream-names.js';
import type { StartJob } from './commands.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import { agedByGoal } from './decide-goal.js';
import type { JobEvent, JobStarted } from './events.js';
import { invalid } from './entry.js';
import { checkGoal } from './limits.js';
import { evolveJob, type JobState } from './state.js';

/** The last base time that is allowed. Years need four digits; otherwise the timestamps would not sort by time. */
const LAST_BASE = Date.parse('9999-01-01T00:00:00.000Z');

function checkSeed(job_seed: string, session_id: string | null): void {
  if (!SEED_PATTERN.test(job_seed))
    throw invalid('job_seed: 1 to 128 characters of A–Z a–z 0–9 . _ : -');
  if (session_id !== null && !SEED_PATTERN.test(session_id))
    throw invalid('session_id: 1 to 128 characters of A–Z a–z 0–9 . _ : -');
}

/** The fields of a start that the service checks first, before it claims the session and reads the snapshots. */
export type StartRequest = Pick<StartJob, 'job_seed' | 'session_id' | 'seeded_epoch' | 'goal'>;

/**
 * Checks a start, and returns the canonical form of its seeded_epoch.
 * @throws Refusal JOB_EXISTS for a second start, INVALID_INPUT for a bad id, epoch or goal.
 */
export function checkStart(state: JobState, request: StartRequest): string | null {
  const { job_seed, session_id, goal } = request;
  checkSeed(job_seed, session_id);
  if (state.stream !== jobStream(job_seed)) throw invalid('job_seed: names another job');
  if (state.status !== 'none') throw new Refusal('JOB_EXISTS', { job_seed });
  const seeded_epoch =
    request.seeded_epoch === null ? null : normalizeTimestamp(request.seeded_epoch, 'seeded_epoch');
  if (seededBase(job_seed, seeded_epoch ?? undefined) >= LAST_BASE)
    throw invalid('the seeded time lies beyond the year 9998');
  if (goal !== null) checkGoal(goal);
  return seeded_epoch;
}

/**
 * Returns the job's first event, then the effects of the job's goal on the CWM that it carries (SPEC J1,
 * J6). @throws Refusal as `checkStart` does.
 */
export function decideStart(state: JobState, command: StartJob): JobEvent[] {
  const { job_seed, owner, session_id, goal, constants, carried_cwm, redactions } = command;
  const seeded_epoch = checkStart(state, command);
  const data: JobStarted = {
    job_seed,
    owner,
    session_id,
    seeded_epoch,
    goal,
    constants,
    snapshots: {
      ...command.snapshots,
      brainstate_snapshot_id: `brainstate:${hashJson({ constants, goal, carried_cwm })}`,
    },
    carried_cwm,
    ...redactionsOf(redactions),
  };
  const started: JobEvent = { type: 'job_started', data };
  return [started, ...startOutcomes(data, evolveJob(state, started))];
}

/** Returns the outcomes of a job's first event. @param started the job after that event */
export const startOutcomes = ({ goal, redactions }: JobStarted, started: JobState): JobEvent[] =>
  goal === null ? [] : [...agedByGoal(started, goal), ...piiRedacted('goal', redactions)];
