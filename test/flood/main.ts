import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { ServiceProcess } from '#test/support/service-process.js';
import type { Attack } from './attackers.js';
import { worstRequests } from './bodies.js';

// Measures how long another caller waits while callers send the worst bodies: npm run flood -- --seconds 60
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    /** The seconds in which one connection sends one of the bodies; 0 skips this part. */
    each: { type: 'string', default: '2' },
    connections: { type: 'string', default: '20' },
  },
});
/** The longest wait in ms of 99 % of another caller's requests. */
const LIMIT_MS = 250;
const PAUSE_MS = 20;

const folder = temporaryFolder('flood');
const service = ServiceProcess.spawn(folder.path);
const client = await service.ready();
const [attacker, other] = await Promise.all([
  client.token(['agent', 'admin'], { sub: 'attacker', user_id: 'attacker' }),
  client.token('agent', { sub: 'other', user_id: 'other' }),
]);
await client.call('POST', '/v1/jobs', { token: attacker, body: { job_seed: 'flood' } });

interface Times {
  readonly answered: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

const timesOf = (waits: readonly number[]): Times => {
  const sorted = [...waits].sort((one, another) => one - another);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { answered: sorted.length, p50: at(0.5), p99: at(0.99), longest: at(1) };
};

/** One caller writes and reads a small note, and asks who it is, until the promise is settled. */
async function waitsUntil(done: Promise<unknown>): Promise<Times> {
  let isDone = false;
  void done.finally(() => (isDone = true));
  const waits: number[] = [];
  for (let number = 0; !isDone; number += 1) {
    const began = performance.now();
    const { status } =
      number % 3 === 0
        ? await client.call('PUT', '/v1/notes', {
            token: other,
            body: { namespace: ['other'], key: 'small', value: number },
          })
        : number % 3 === 1
          ? await client.call('GET', '/v1/notes?namespace=other&key=small', { token: other })
          : await client.call('GET', '/v1/console/session', { token: other });
    if (status >= 400) throw new Error(`The other caller was answered with ${status}`);
    waits.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return timesOf(waits);
}

async function underAttack(attack: Omit<Attack, 'url' | 'token'>) {
  const workerData = { ...attack, url: client.url, token: attacker } satisfies Attack;
  const worker = new Worker(new URL('./attackers.js', import.meta.url), { workerData });
  const statuses = once(worker, 'message').then(([message]) => message as object);
  const times = await waitsUntil(statuses);
  return { times, statuses: JSON.stringify(await statuses) };
}

const line = (name: string, times: Times, statuses: string): void =>
  void process.stdout.write(
    `${name.padEnd(52)} p50 ${times.p50} ms, p99 ${times.p99} ms, longest ${times.longest} ms of ${times.answered}; ${statuses}\n`,
  );

let isWithin = false;
try {
  const requests = worstRequests('flood');
  const calm = await waitsUntil(new Promise((resolve) => setTimeout(resolve, 3_000)));
  line('nobody else', calm, '');
  const each = Number(values.each) * 1000;
  if (each > 0)
    for (const request of requests) {
      const run = { requests: [request], connections: 1, milliseconds: each };
      const { times, statuses } = await underAttack(run);
      line(request.name, times, statuses);
    }
  const connections = Number(values.connections);
  const milliseconds = Number(values.seconds) * 1000;
  const { times, statuses } = await underAttack({ requests, connections, milliseconds });
  line(`${connections} connections with all of these`, times, statuses);
  isWithin = times.p99 <= LIMIT_MS;
} finally {
  await service.stop();
  folder.remove();
}
process.stdout.write(`p99 is ${isWithin ? 'within' : 'beyond'} ${LIMIT_MS} ms\n`);
process.exitCode = isWithin ? 0 : 1;
