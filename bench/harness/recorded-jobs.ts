import { randomUUID } from 'node:crypto';
import type { JobCommand } from '#domain/job/commands.js';
import type { EventStore, EventToAppend } from '#event-store/event-store.js';
import { jobStore, nextIdentity, note, startOf } from './jobs.js';
import { timedTurns } from './load.js';
import type { Setting } from './setting.js';

/** About as many events does each job have. */
export const EVENTS_IN_JOB = 60;

/** The seed of a recorded job. */
export const recordedSeed = (index: number): string => `project-${index}`;
/** The word that only the notes of one job have. */
export const wordOf = (index: number): string => `order${index}`;

interface Recorded {
  /** The number of another program's events for each event of a job. */
  readonly foreignForEach?: number;
  /** The number of jobs that are recorded already. */
  readonly from?: number;
  /** True if the notes of each job have a word of their own. */
  readonly hasWords?: boolean;
}

/**
 * Records jobs of about 60 events, with episodes at their end, and another program's events beside them.
 * Returns the number of the jobs' events.
 */
export async function recordJobs(
  { eventStore }: Pick<Setting, 'eventStore'>,
  events: number,
  { foreignForEach = 0, from = 0, hasWords = false }: Recorded = {},
): Promise<number> {
  const store = jobStore(eventStore);
  let count = 0;
  await timedTurns(Math.ceil(events / EVENTS_IN_JOB), 16, async (turn) => {
    const index = from + turn;
    const seed = recordedSeed(index);
    const commands = commandsOf(seed, hasWords ? ` ${wordOf(index)}` : '');
    const { version } = await store.execute(`job-${seed}`, commands, nextIdentity());
    count += version + 1;
    await appendForeign(eventStore, `elsewhere-${index}`, foreignForEach * (version + 1));
  });
  return count;
}

async function appendForeign(eventStore: EventStore, stream: string, count: number): Promise<void> {
  const metadata = {} as EventToAppend['metadata'];
  const events = Array.from({ length: count }, (_, index) => ({
    ...{ id: randomUUID(), type: 'noted', data: { text: note(index) }, metadata },
  }));
  if (count > 0) await eventStore.append(stream, 'no_stream', events);
}

function commandsOf(seed: string, ending: string): JobCommand[] {
  const rounds = Array.from({ length: 10 }, (_, round): JobCommand[] => [
    noteOf(2 * round, ending),
    noteOf(2 * round + 1, ending),
    { op: 'wm_reference', wm_id: `wm:${seed}:${2 * round + 1}` },
    { op: 'tick' },
  ]);
  return [startOf(seed), ...rounds.flat(), { op: 'end' }];
}

const noteOf = (index: number, ending: string): JobCommand => ({
  ...{ op: 'wm_insert', type: 'fact', ttl_ticks: 3 },
  value: `${note(index)}${ending}`,
});
