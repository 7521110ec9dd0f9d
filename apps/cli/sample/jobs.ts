import type { JobCommand } from '#client/jobs.js';
import type { Cast } from './cast.js';
import { JOBS, type SampleJob } from './story.js';

/** Runs the jobs of the story. Returns the ids of their episodes, by `<job>/<episode>`. */
export async function runJobs(cast: Cast): Promise<ReadonlyMap<string, string>> {
  const episodes = new Map<string, string>();
  for (const job of JOBS)
    for (const [name, id] of await run(cast, job)) episodes.set(`${job.name}/${name}`, id);
  return episodes;
}

async function run(cast: Cast, job: SampleJob): Promise<[string, string][]> {
  const { names } = cast;
  const { name, goal, user, outcome } = job;
  const agent = await cast.agent(job.agent);
  const job_seed = names.of(name);
  const owner = user === undefined ? {} : { user_id: names.of(user) };
  const key = (part: string) => names.once('job', name, part);
  await agent.jobs.start({ job_seed, goal, ...owner }, key('start'));
  const handle = agent.job(job_seed);
  const { results } = await handle.batch(commandsOf(job_seed, job), key('commands'));
  if (outcome !== 'running') {
    const { reflective_log_id } = await handle.end(key('end'));
    if (outcome === 'failed')
      await agent.reflectiveLogs.tag(reflective_log_id, ['failed', 'ECONNRESET'], key('tag'));
  }
  const written = results.filter(
    (result): result is { readonly episodic_id: string } =>
      typeof result === 'object' && result !== null && 'episodic_id' in result,
  );
  return Object.keys(job.episodes).map((episode, index) => [episode, written[index]!.episodic_id]);
}

/** Uses what a job uses twice, so that the first tick promotes it, and ticks until the rest has expired. */
function commandsOf(seed: string, { uses, forgets, episodes }: SampleJob): readonly JobCommand[] {
  const inserted = [...uses, ...forgets].map((value): JobCommand => ({
    op: 'wm_insert',
    type: 'fact',
    value,
  }));
  const references = uses.flatMap((_, index): JobCommand[] => {
    const reference = { op: 'wm_reference', wm_id: `wm:${seed}:${index + 1}` } as const;
    return [reference, reference];
  });
  const written = Object.values(episodes).map((summary): JobCommand => ({
    op: 'episodic_write',
    summary,
  }));
  return [
    ...inserted,
    ...references,
    { op: 'tick', count: 1 },
    ...written,
    { op: 'tick', count: 3 },
  ];
}
