// Sends POSTs to randomly chosen jobs for some seconds, and counts the 2xx answers. `{seed}` in path and
// body is replaced by the seed of the job.
import autocannon from 'autocannon';
import { answer, args } from './answer.mjs';

const { url, token, path, body, seeds, seconds, connections } = args;
const text = JSON.stringify(body);
const requests = seeds.map((seed) => ({
  path: path.replaceAll('{seed}', seed),
  body: text.replaceAll('{seed}', seed),
}));
let state = 7;
const draw = () =>
  requests[(state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % requests.length];

const run = (duration) =>
  autocannon({
    url,
    connections,
    duration,
    requests: [
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, ...draw() }),
      },
    ],
  });

await run(1);
const began = performance.now();
const result = await run(seconds);
answer({
  requests: result['2xx'],
  failed: result.non2xx + result.errors,
  ms: performance.now() - began,
});
