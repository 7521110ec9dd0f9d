import { reflectiveLogId, wmId } from '../determinism/ids.js';
import { seededTimestamp } from '../determinism/seeded-clock.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import { piiRedacted, redactionsOf } from '../privacy/redactions.js';
import { decideQuery } from '../query/decide.js';
import type { QueryEvent, QueryInput } from '../query/events.js';
import { seedOfJobStream } from '../stream-names.js';
import {
  type EndJob,
  gatedPartsOf,
  type InsertWm,
  type JobCommand,
  type SetGoal,
  type WriteEpisode,
} from './commands.js';
import { episodeAfter } from './decide-end.js';
import { agedByGoal } from './decide-goal.js';
import { decideStart } from './decide-start.js';
import { decideTick } from './decide-tick.js';
import { contentOf } from './entry.js';
import type { JobEvent } from './events.js';
import { checkEpisode, checkGoal, checkInsert, checkRead } from './limits.js';
import { cwmIndex, type JobState, startedJob, wmIndex } from './state.js';

function decideInsert(state: JobState, command: InsertWm): JobEvent[] {
  checkInsert(state, command);
  const { job_seed, constants } = startedJob(state);
  return [
    {
      type: 'wm_inserted',
      data: {
        wm_id: wmId(job_seed, state.wm_counter + 1),
        ...contentOf(command),
        created_at_tick: state.tick,
        ttl_ticks: command.ttl_ticks ?? constants.wm_default_ttl_ticks,
      },
    },
  ];
}

/** Makes the event of a command that names a WM entry. @throws Refusal NOT_FOUND */
function onEntry(
  type: 'wm_referenced' | 'wm_forgotten',
  { wm, tick }: JobState,
  wm_id: string,
): JobEvent[] {
  if (wmIndex(wm, wm_id) < 0) throw new Refusal('NOT_FOUND', { what: 'WM entry', id: wm_id });
  return [{ type, data: { wm_id, tick } }];
}

/** Makes the event of a command that names a CWM item. @throws Refusal NOT_FOUND */
function onItem(
  type: 'cwm_referenced' | 'cwm_forgotten',
  { cwm, tick }: JobState,
  item_id: string,
): JobEvent[] {
  if (cwmIndex(cwm, item_id) < 0) throw new Refusal('NOT_FOUND', { what: 'CWM item', id: item_id });
  return [{ type, data: { item_id, tick } }];
}

function decideGoal(state: JobState, { goal, redactions }: SetGoal): JobEvent[] {
  checkGoal(goal);
  return [
    { type: 'goal_set', data: { goal, tick: state.tick, ...redactionsOf(redactions) } },
    ...agedByGoal(state, goal),
    ...piiRedacted('goal', redactions),
  ];
}

function decideEpisode(state: JobState, command: WriteEpisode): JobEvent[] {
  checkEpisode(command);
  const { source, summary, sealed_payload, evidence, redactions } = command;
  const payload = sealed_payload === undefined ? command.payload : null;
  const content = { source, summary, evidence, payload, ...gatedPartsOf(command) };
  return [
    { type: 'episode_written', data: episodeAfter(state, 1, content) },
    ...piiRedacted('episode', redactions),
  ];
}

function decideMemoryRead(
  state: JobState,
  { kind, ids }: Extract<JobCommand, { op: 'memory_read' }>,
): JobEvent[] {
  checkRead(ids);
  const { sem_snapshot_hash } = startedJob(state).snapshots;
  return [{ type: 'memory_read', data: { kind, tick: state.tick, ids, sem_snapshot_hash } }];
}

function decideQueryInput(state: JobState, input: QueryInput): readonly QueryEvent[] {
  const { constants, owner } = startedJob(state);
  const { version, seeded_base } = state;
  return decideQuery(input, state.query, {
    constants,
    user_id: owner.user_id,
    version,
    timestamp: (eventNumber) => seededTimestamp(seeded_base, eventNumber),
  });
}

function decideEnd(state: JobState, { reflective_log }: EndJob): JobEvent[] {
  permit(state.query?.conclusion !== null, 'end a query that is not concluded', 'A4');
  const reflective_log_id = reflectiveLogId(startedJob(state).job_seed);
  const logField = reflective_log === undefined ? {} : { reflective_log };
  return [{ type: 'job_ended', data: { tick: state.tick, reflective_log_id, ...logField } }];
}

/** Checks that the job is running. @throws Refusal NOT_FOUND before the start, JOB_ENDED after the end. */
function checkRunning({ status, stream }: JobState): void {
  const job_seed = seedOfJobStream(stream);
  if (status === 'none') throw new Refusal('NOT_FOUND', { what: 'job', id: job_seed });
  if (status === 'ended') throw new Refusal('JOB_ENDED', { job_seed });
}

/**
 * Returns the events of a command on a job (SPEC §4). @throws Refusal JOB_EXISTS, NOT_FOUND, JOB_ENDED,
 * INVALID_INPUT, PROMOTION_LOOP, PERMISSION_DENIED.
 */
export function decideJob(command: JobCommand, state: JobState): JobEvent[] {
  if (command.op === 'start') return decideStart(state, command);
  checkRunning(state);
  switch (command.op) {
    case 'wm_insert':
      return decideInsert(state, command);
    case 'wm_reference':
      return onEntry('wm_referenced', state, command.wm_id);
    case 'cwm_reference':
      return onItem('cwm_referenced', state, command.item_id);
    case 'wm_forget':
      return onEntry('wm_forgotten', state, command.wm_id);
    case 'cwm_forget':
      return onItem('cwm_forgotten', state, command.item_id);
    case 'tick':
      return decideTick(state);
    case 'goal':
      return decideGoal(state, command);
    case 'episodic_write':
      return decideEpisode(state, command);
    case 'memory_read':
      return decideMemoryRead(state, command);
    case 'query':
      return [...decideQueryInput(state, command.input)];
    case 'end':
      return decideEnd(state, command);
  }
}
