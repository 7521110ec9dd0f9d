import { semDecider } from '#domain/sem/sem.decider.js';
import { semStream } from '#domain/stream-names.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { nextIdentity, note } from '../harness/jobs.js';
import { timedTurns } from '../harness/load.js';
import { latencies, type Report } from '../harness/report.js';
import { type RunningService, startServiceOn } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';

/**
 * The step from one changed fact to the next. It is a prime, so that the changes are spread over the
 * whole snapshot.
 */
const SPREAD = 7_919;

const keyOf = (index: number): string => `world/fact/subject_${index}/definition`;

/** Case (g): each start pins a snapshot of all facts, of which one has changed since the last start. */
export async function jobStart(setting: Setting): Promise<Report> {
  const facts = setting.sized(100_000);
  await putFacts(setting, facts);
  const service = await startServiceOn(setting);
  try {
    await startOnceCaughtUp(service);
    const sample: number[] = [];
    for (let index = 0; index < setting.sized(50); index += 1) {
      const changed = (index * SPREAD) % facts;
      await service.send('PUT', `/v1/sem/${keyOf(changed)}`, { value: `changed: ${note(index)}` });
      const began = performance.now();
      await service.send('POST', '/v1/jobs', { job_seed: `start-${index}` });
      sample.push(performance.now() - began);
    }
    const rows = latencies(`a start with ${facts.toLocaleString('en-US')} facts`, sample);
    const [{ value: p50 }] = rows;
    return {
      rows,
      targets: [{ what: 'p50 under 30 ms', measured: `${p50.toFixed(1)} ms`, reached: p50 < 30 }],
    };
  } finally {
    await service.stop();
  }
}

/**
 * Starts a job, and retries until the read models have projected all facts. Before that, a start answers
 * PROJECTION_LAG.
 */
async function startOnceCaughtUp(service: RunningService): Promise<void> {
  for (;;) {
    try {
      await service.send('POST', '/v1/jobs', { job_seed: 'start-first' });
      return;
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('PROJECTION_LAG'))) throw error;
    }
  }
}

async function putFacts({ eventStore }: Setting, facts: number): Promise<void> {
  const store = new AggregateStore(eventStore, semDecider, { writeFailure: 'SEM_WRITE_FAIL' });
  const now = new Date().toISOString();
  await timedTurns(facts, 64, (index) => {
    const value = note(index);
    const put = { type: 'put', value, source: 'system', notes: null, meta: null, now } as const;
    return store.execute(semStream(keyOf(index)), [put], nextIdentity());
  });
}
