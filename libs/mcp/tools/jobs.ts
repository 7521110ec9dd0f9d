import { z } from 'zod';
import type { CwmItem, Job, WmEntry } from '#client/jobs.js';
import { requestFields } from '../request-fields.js';
import {
  ADDS,
  input,
  json,
  output,
  READS,
  REPLACES,
  type Role,
  shown,
  tool,
  whole,
} from '../tool.js';

const RUNNERS: readonly Role[] = ['agent', 'admin'];
const READERS: readonly Role[] = ['agent', 'user', 'council', 'admin', 'auditor'];

const SEED = 'The job’s id, as start_job returned it.';

/** The input of the tools that take a WM entry or a CWM item. */
const entryInput = () => {
  const { job_seed, wm_id } = requestFields('POST /v1/jobs/{seed}/wm/{wm_id}/references', {
    job_seed: SEED,
    wm_id:
      'The id of a WM entry (wm:…) or a CWM item (cwmi:…), as job_hold or read_job returned it.',
  }).shape;
  return input({ job_seed, id: wm_id });
};
const version = whole.describe('The number of the job’s last event.');
const wmType = z.enum(['fact', 'context', 'hint', 'temp']);

const isCwm = (id: string): boolean => id.startsWith('cwmi:');

const startJob = tool({
  name: 'start_job',
  title: 'Start a job',
  description:
    'Starts a job: the memory of one run. Call it once, when a task begins; job_hold, job_use and tick_job then ' +
    'need its job_seed. A job of a session begins with what the session’s last job carried over.',
  routes: ['POST /v1/jobs'],
  roles: RUNNERS,
  annotations: ADDS,
  input: () =>
    requestFields('POST /v1/jobs', {
      goal: 'What the run is about, in a sentence.',
      session_id: 'The series of jobs that this one continues.',
      job_seed: 'An id of your own; by default the service makes one.',
      user_id: 'The person you act for, if your token names none.',
    }),
  output: output({ job_seed: z.string(), version, tick: whole }),
  call: async (client, job) => {
    const started = await client.jobs.start(job);
    return { job_seed: started.job_seed, version: started.version, tick: started.tick };
  },
  text: (started) => `Started the job ${started.job_seed}.`,
});

const jobHold = tool({
  name: 'job_hold',
  title: 'Hold in working memory',
  description:
    'Holds an entry in the working memory of a running job, for the task at hand. It does not last: it expires after ' +
    'a few ticks unless it is used (job_use), and the end makes an episode only of used facts and of what was used ' +
    'often. For something that must outlive the job whatever happens, call write_note or, about the person, remember.',
  routes: ['POST /v1/jobs/{seed}/wm'],
  roles: RUNNERS,
  annotations: ADDS,
  input: () =>
    requestFields('POST /v1/jobs/{seed}/wm', {
      job_seed: SEED,
      value: 'Any JSON value of at most 16 KB, such as a sentence.',
      type: [
        'fact: true and reusable; context: about this task; hint: a guess; temp: soon obsolete.',
        'fact',
      ],
      ttl_ticks: 'The ticks until the entry expires; default 3.',
    }),
  output: output({ job_seed: z.string(), wm_id: z.string(), version }),
  call: async (client, { job_seed, ...entry }) => ({
    job_seed,
    ...(await client.job(job_seed).insert(entry)),
  }),
  text: ({ job_seed, wm_id }) => `Held as ${wm_id} in the job ${job_seed}.`,
});

const jobUse = tool({
  name: 'job_use',
  title: 'Record the use of an entry',
  description:
    'Records that you used an entry of the job’s memory. Call it whenever an entry helped: a WM entry with two uses ' +
    'is promoted at the next tick, and an unused one expires.',
  routes: [
    'POST /v1/jobs/{seed}/wm/{wm_id}/references',
    'POST /v1/jobs/{seed}/cwm/{item_id}/references',
  ],
  roles: RUNNERS,
  annotations: ADDS,
  input: entryInput,
  output: output({ id: z.string(), version }),
  call: async (client, { job_seed, id }) => {
    const job = client.job(job_seed);
    const done = isCwm(id) ? await job.referenceCwm(id) : await job.referenceWm(id);
    return { id, version: done.version };
  },
  text: ({ id }) => `Recorded a use of ${id}.`,
});

const jobDrop = tool({
  name: 'job_drop',
  title: 'Drop an entry',
  description:
    'Removes an entry from the memory of a running job before it expires, for example because it was wrong. The ' +
    'log keeps its events.',
  routes: ['DELETE /v1/jobs/{seed}/wm/{wm_id}', 'DELETE /v1/jobs/{seed}/cwm/{item_id}'],
  roles: RUNNERS,
  annotations: REPLACES,
  input: entryInput,
  output: output({ id: z.string(), version }),
  call: async (client, { job_seed, id }) => {
    const job = client.job(job_seed);
    const done = isCwm(id) ? await job.forgetCwm(id) : await job.forgetWm(id);
    return { id, version: done.version };
  },
  text: ({ id }) => `Dropped ${id}.`,
});

const tickJob = tool({
  name: 'tick_job',
  title: 'Advance a job',
  description:
    'Advances a job’s time, usually by one tick after each step of the task: entries that were used often are ' +
    'promoted, and unused ones expire.',
  routes: ['POST /v1/jobs/{seed}/ticks'],
  roles: RUNNERS,
  annotations: { ...ADDS, destructiveHint: true },
  input: () =>
    requestFields('POST /v1/jobs/{seed}/ticks', {
      job_seed: SEED,
      count: ['How many ticks, 1 to 1,000.', 1],
    }).pick({ job_seed: true, count: true }),
  output: output({ job_seed: z.string(), tick: whole, version }),
  call: async (client, { job_seed, count }) => ({
    job_seed,
    ...(await client.job(job_seed).tick(count)),
  }),
  text: ({ job_seed, tick }) => `The job ${job_seed} is at tick ${tick}.`,
});

/** A list of an end's answer, and the number of all that it could show. */
const listOf = <Item extends z.ZodObject>(item: Item, about: string) =>
  output({ count: whole, items: z.array(item).describe('The last 20, oldest first.') }).describe(
    about,
  );
const excerpt = output({ id: z.string(), type: wmType, content: z.string() });

const excerptLine = ({ id, type, content }: z.output<typeof excerpt>): string =>
  `${id} (${type}): ${shown(content)}`;

const copyOf = <Item>({ count, items }: { count: number; items: readonly Item[] }) => ({
  count,
  items: [...items],
});

/** The lines of a list of an end's answer; none for an empty list. */
const listLines = (title: string, count: number, items: readonly string[]): string[] =>
  count === 0
    ? []
    : [`${title}, ${count}${count > items.length ? ` (the last ${items.length})` : ''}:`, ...items];

const endJob = tool({
  name: 'end_job',
  title: 'End a job',
  description:
    'Ends a job, when the task is done or has failed. Used facts and what was promoted become episodes, which later ' +
    'searches find. The answer says what was kept and which entries are gone. An ended job takes no further entries.',
  routes: ['POST /v1/jobs/{seed}/end'],
  roles: RUNNERS,
  annotations: REPLACES,
  input: () =>
    requestFields('POST /v1/jobs/{seed}/end', { job_seed: SEED }).pick({ job_seed: true }),
  output: output({
    job_seed: z.string(),
    status: z.literal('ended'),
    reflective_log_id: z.string(),
    kept: listOf(
      output({ episodic_id: z.string(), summary: z.string() }),
      'The episodes that the end made; searches find them.',
    ),
    carried: listOf(excerpt, 'The entries with which the session’s next job begins.'),
    expired: listOf(excerpt, 'The entries that are gone; no later search or job finds them.'),
    version,
  }),
  call: async (client, { job_seed }) => {
    const { kept, carried, expired, ...ended } = await client.job(job_seed).end();
    const lists = { kept: copyOf(kept), carried: copyOf(carried), expired: copyOf(expired) };
    return { job_seed, ...ended, ...lists };
  },
  text: ({ job_seed, kept, carried, expired }) =>
    [
      `Ended the job ${job_seed}.`,
      ...listLines(
        'Kept as episodes',
        kept.count,
        kept.items.map(({ episodic_id, summary }) => `${episodic_id}: ${shown(summary)}`),
      ),
      ...listLines(
        'Carried to the session’s next job',
        carried.count,
        carried.items.map(excerptLine),
      ),
      ...listLines('Gone', expired.count, expired.items.map(excerptLine)),
    ].join('\n'),
});

const entry = output({
  type: wmType,
  value: json,
  ttl_ticks: whole.describe('The ticks until it expires.'),
  references: whole.describe('How often it was used.'),
});

const wmShown = ({ wm_id, type, value, ttl_ticks, references }: WmEntry) => ({
  wm_id,
  type,
  value,
  ttl_ticks,
  references,
});
const cwmShown = ({ cwm_id_item, type, value, ttl_ticks, references }: CwmItem) => ({
  cwm_id_item,
  type,
  value,
  ttl_ticks,
  references,
});

/** What a model needs to know of a job. */
const jobShown = ({ job_seed, status, tick, version: at, wm, cwm }: Job) => ({
  job_seed,
  status,
  goal: cwm.topic,
  tick,
  version: at,
  wm: wm.map(wmShown),
  cwm: cwm.items.map(cwmShown),
});

const readJob = tool({
  name: 'read_job',
  title: 'Read a job',
  description:
    'Returns a job’s goal and all entries of its memory, now or as they were at an earlier version.',
  routes: ['GET /v1/jobs/{seed}'],
  roles: READERS,
  annotations: READS,
  input: () =>
    requestFields('GET /v1/jobs/{seed}', {
      job_seed: SEED,
      version: 'Reads the job as it was after this event.',
    }),
  output: output({
    job_seed: z.string(),
    status: z.enum(['running', 'ended']),
    goal: z.string(),
    tick: whole,
    version,
    wm: z.array(entry.extend({ wm_id: z.string() })).describe('Working memory, newest first.'),
    cwm: z.array(entry.extend({ cwm_id_item: z.string() })).describe('What was promoted.'),
  }),
  call: async (client, { job_seed, ...at }) => jobShown(await client.job(job_seed).get(at)),
  text: ({ job_seed, status, goal, tick, wm, cwm }) =>
    [
      `The job ${job_seed} is ${status}, at tick ${tick}. Goal: ${shown(goal)}`,
      ...wm.map(
        (each) =>
          `${each.wm_id} (${each.type}, ${each.ttl_ticks} ticks left): ${shown(each.value)}`,
      ),
      ...cwm.map((each) => `${each.cwm_id_item} (${each.type}, kept): ${shown(each.value)}`),
    ].join('\n'),
});

/** Tools that run a job and keep its working memory. */
export const JOB_TOOLS = [startJob, jobHold, jobUse, jobDrop, tickJob, endJob, readJob];
