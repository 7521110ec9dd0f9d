import { parentPort, workerData } from 'node:worker_threads';
import type { WorstRequest } from './bodies.js';

/** The data of a run of attackers. */
export interface Attack {
  readonly url: string;
  readonly token: string;
  readonly requests: readonly WorstRequest[];
  readonly connections: number;
  readonly milliseconds: number;
}

// Runs in a thread of its own, so that the attackers do not delay the measuring caller.
const { url, token, requests, connections, milliseconds } = workerData as Attack;
const end = performance.now() + milliseconds;
const statuses: Record<string, number> = {};
let sent = 0;

async function attack(): Promise<void> {
  while (performance.now() < end) {
    const request = requests[sent % requests.length] as WorstRequest;
    sent += 1;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(request.isWithoutToken === true ? {} : { authorization: `Bearer ${token}` }),
    };
    const { method, path, body } = request;
    const status = await fetch(new URL(path, url), { method, headers, body }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 'no answer',
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

await Promise.all(Array.from({ length: connections }, attack));
parentPort?.postMessage(statuses);
