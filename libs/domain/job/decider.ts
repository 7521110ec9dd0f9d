import type { AnswerTo, Decider } from '../decider.js';
import { canonicalSize } from '../determinism/canonical-json.js';
import { jobCommandOf, type JobCommand } from './commands.js';
import { decideJob } from './decide.js';
import { owedByEnd } from './decide-end.js';
import { startOutcomes } from './decide-start.js';
import { endAnswer } from './end-answer.js';
import { contentSize } from './entry.js';
import { jobSchemas, type JobEvent, type JobStarted } from './events.js';
import { evolveJob, initialJob, type JobState } from './state.js';
import { jobStateJson, jobView } from './view.js';

/**
 * Returns the answer to a start. It shows the job after the start and after the outcomes by which the
 * job's goal affects the carried CWM.
 */
const startAnswer = (data: JobStarted, started: JobState) =>
  jobView(startOutcomes(data, started).reduce(evolveJob, started));

/** Returns the answer to a command (SPEC §13). Only the answers to a start and to an end need the state. */
function resultOf(input: JobEvent, stateAfter: JobState): AnswerTo<JobCommand> | null {
  switch (input.type) {
    case 'job_started':
      return startAnswer(input.data, stateAfter);
    case 'wm_inserted':
    case 'wm_referenced':
    case 'wm_forgotten':
      return { wm_id: input.data.wm_id };
    case 'cwm_referenced':
    case 'cwm_forgotten':
      return { item_id: input.data.item_id };
    case 'ticked':
      return { tick: input.data.tick };
    case 'goal_set':
      return { goal: input.data.goal };
    case 'episode_written':
      return { episodic_id: input.data.episodic_id };
    case 'job_ended':
      return endAnswer(stateAfter);
    default:
      return null;
  }
}

/** The approximate size of an entry or item without its value, in characters. */
const ENTRY_SIZE = 300;

/** Returns the size of what a job remembers. Uses and ticks leave nothing in its state. */
const jobSize = ({ started, wm, cwm, expired, evidence, handed_log, query }: JobState): number =>
  [...wm, ...cwm, ...expired.last].reduce(
    (sum, { content }) => sum + ENTRY_SIZE + contentSize(content),
    evidence.bytes,
  ) + [started, handed_log, query].reduce((sum, part) => sum + (part ? canonicalSize(part) : 0), 0);

/** A job: one run of an agent, with its working memory and its episodes (SPEC §4). */
export const jobDecider: Decider<JobState, JobCommand, JobEvent> = {
  category: 'job',
  schemas: jobSchemas,
  lastType: 'episodic_summary',
  initialState: initialJob,
  evolve: evolveJob,
  decide: decideJob,
  owed: owedByEnd,
  commandOf: jobCommandOf,
  resultOf,
  sizeOf: jobSize,
  stateJson: jobStateJson,
  seedOf: (stream, first) => {
    if (first.type !== 'job_started') return { seed: stream };
    const { job_seed, seeded_epoch } = first.data;
    return seeded_epoch === null ? { seed: job_seed } : { seed: job_seed, epoch: seeded_epoch };
  },
};
