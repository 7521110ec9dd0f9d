import { Agent, request } from 'node:http';
import { runPeer } from '../harness/children.js';
import { note } from '../harness/jobs.js';
import { pseudoRandom, timedTurns } from '../harness/load.js';
import { beside, latencies, type Report } from '../harness/report.js';
import { type RunningService, startServiceOn } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';

const FACTS = 1_000;
const keyOf = (index: number): string => `world/fact/subject_${index}/definition`;

/**
 * Case (e): one caller reads one fact at a time, from our service over HTTP and from the peer within the
 * peer's own process.
 */
export async function factReads(setting: Setting): Promise<Report> {
  const reads = setting.sized(5_000);
  const service = await startServiceOn(setting);
  try {
    await timedTurns(FACTS, 16, (index) =>
      service.send('PUT', `/v1/sem/${keyOf(index)}`, { value: note(index) }),
    );
    const ours = await readOverHttp(service, reads);
    const peer = await runPeer<{ sample: number[] }>('langgraph-get', {
      postgresUrl: await setting.newDatabase(),
      facts: FACTS,
      reads,
    });
    const [our50, our99] = latencies('sem read over HTTP', ours);
    const [their50, their99] = latencies('LangGraph PostgresStore.get in process', peer.sample);
    const rows = [our50, our99, beside(their50, our50), beside(their99, our99)];
    const p50 = our50.value;
    return {
      rows,
      targets: [{ what: 'p50 under 1.5 ms', measured: `${p50.toFixed(2)} ms`, reached: p50 < 1.5 }],
    };
  } finally {
    await service.stop();
  }
}

async function readOverHttp({ url, token }: RunningService, reads: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}` };
  const read = (path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      request(`${url}${path}`, { agent, headers }, (answer) => {
        answer.resume().once('end', () => {
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`GET ${path}: ${answer.statusCode}`));
        });
      })
        .once('error', reject)
        .end();
    });
  const random = pseudoRandom(1);
  const sample: number[] = [];
  for (let index = -200; index < reads; index += 1) {
    const began = performance.now();
    await read(`/v1/sem/${keyOf(Math.floor(random() * FACTS))}`);
    if (index >= 0) sample.push(performance.now() - began);
  }
  agent.destroy();
  return sample;
}
