import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { Caller } from '#test/support/caller.js';
import { until } from '#test/faults/support/until.js';
import { ensure } from '#test/support/ensure.js';
import { LogReader } from '#test/support/read-log.js';
import { recordRequest } from '#test/support/recorded-request.js';
import {
  startOwnEventStore,
  startTestPostgres,
  type OwnServer,
  type TestServer,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { type Received, WebhookReceiver } from '#test/support/webhook-receiver.js';

const SECRET = 'hook:Zt4uWq9bLx2nRk7vMe1dYp6sHc3gJf8a';
const HOUR_MS = 3_600_000;

/** A log of its own, because a service posts notices of every pending request in its log. */
let servers: { readonly eventStore: OwnServer; readonly postgres: TestServer };
let log: LogReader;
let receiver: WebhookReceiver;
let service: TestService;
let agent: Caller;
let episodic_id: unknown;

const startService = (): Promise<TestService> =>
  TestService.start({
    servers,
    environment: { MACE_REVIEW_WEBHOOK_URL: receiver.url, MACE_REVIEW_WEBHOOK_SECRET: SECRET },
  });

beforeAll(async () => {
  const [eventStore, postgres] = await Promise.all([startOwnEventStore(), startTestPostgres()]);
  servers = { eventStore, postgres };
  log = new LogReader(eventStore.url);
  receiver = await WebhookReceiver.start();
  service = await startService();
  agent = await Caller.of(service, 'agent', { sub: 'agent' });
  await agent.post('jobs', { job_seed: 'grounds' });
  ({ episodic_id } = await agent.post('jobs/grounds/episodes', { summary: 'grounds' }));
});
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
  await log?.close();
  await Promise.all([servers?.eventStore.stop(), servers?.postgres.stop()]);
});

let keys = 0;
const freshKey = (): string => `world/noticed/k${(keys += 1)}/value`;

interface Made {
  readonly request_id: string;
  readonly proposal_hash: string;
  readonly expires_at: string;
}
const propose = (more: object = {}): Promise<Made> =>
  agent.post<Made>('action-requests', {
    ...{ episodic_id, target_sem_key: freshKey(), value: 'the-proposed-value' },
    ...{ justification: 'the-justification', evidence: [{ seen: 'the-evidence' }] },
    ...more,
  });

const noticesOf = ({ request_id }: { readonly request_id: string }) =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    .filter(({ id }) => id === request_id);
const namesOf = (request: { readonly request_id: string }) =>
  noticesOf(request).map(({ notice }) => notice);

/** Resolves once the service has recorded that the receiver acknowledged `count` notices of a request. */
async function delivered(
  { request_id }: { readonly request_id: string },
  count = 1,
): Promise<void> {
  const rows = new pg.Client({ connectionString: servers.postgres.url });
  await rows.connect();
  try {
    await until('the notices have come', async () => {
      const found = await rows.query(
        `select from review_notices.delivery where request_id = $1 and delivered_at is not null`,
        [request_id],
      );
      return found.rowCount === count;
    });
  } finally {
    await rows.end();
  }
}

/** Verifies a signature as a receiver does. */
function isSigned({ body, signature }: Received): boolean {
  const [, time, hmac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const age = Math.abs(Date.now() / 1000 - Number(time));
  return age < 60 && hmac === createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
}

const counted = async (by: TestService, outcome: string): Promise<number> => {
  const { body } = await by.call<string>('GET', '/metrics');
  const line = new RegExp(
    `^mace_review_notices_total\\{notice="new",outcome="${outcome}"\\} (\\d+)$`,
    'm',
  );
  return Number(line.exec(body)?.[1] ?? 0);
};

it('G9 one signed notice is posted for a new request, with id, kind, risk and deadline, and never a value', async () => {
  const request = await propose();
  await delivered(request);
  expect(noticesOf(request)).toStrictEqual([
    {
      id: request.request_id,
      notice: 'new',
      kind: 'sem_put',
      // None of this agent's requests was executed yet, and its evidence does not have the value.
      risk: 'medium',
      deadline: request.expires_at,
    },
  ]);
  const sent = receiver.received.find(({ body }) => body.includes(request.request_id));
  ensure(sent);
  expect(isSigned(sent)).toBe(true);
  expect(isSigned({ ...sent, body: sent.body.replace('medium', 'high') })).toBe(false);
  expect(sent.body).not.toMatch(/the-proposed-value|the-justification|the-evidence/);
});

it('G9 a notice has the risk: medium without evidence, high for ten times the number that stands', async () => {
  const admin = await Caller.of(service, 'admin');
  const target_sem_key = freshKey();
  await admin.did('PUT', `sem/${target_sem_key}`, { body: { value: 4 } });
  const [bare, overwriting] = [
    await propose({ evidence: [] }),
    await propose({ target_sem_key, value: 40 }),
  ];
  await delivered(bare);
  await delivered(overwriting);
  expect(noticesOf(bare)).toMatchObject([{ risk: 'medium' }]);
  expect(noticesOf(overwriting)).toMatchObject([{ risk: 'high' }]);
});

it('G9 a second notice follows when half of the request’s time is over, unless it was decided before', async () => {
  const at = (ms: number) => new Date(Date.now() + ms);
  const record = (request_id: string, from: number, to: number) =>
    recordRequest(log.eventStore, {
      ...{ request_id, target_sem_key: freshKey(), proposer: 'agent' },
      ...{ requested_at: at(from), expires_at: at(to) },
    });
  const waiting = await record('half', -HOUR_MS + 3_000, HOUR_MS);
  const decided = await record('decided', -HOUR_MS + 3_000, HOUR_MS);
  const overdue = await record('overdue', -2 * HOUR_MS, -HOUR_MS);
  await delivered(waiting);
  await delivered(decided);
  expect(namesOf(waiting)).toStrictEqual(['new']);
  const council = await Caller.of(service, 'council');
  await council.post('action-requests/decided/votes', {
    ...{ vote: 'reject', reason: 'No.', proposal_hash: decided.proposal_hash },
  });
  await delivered(waiting, 2);
  expect(namesOf(waiting)).toStrictEqual(['new', 'half_time']);
  expect(namesOf(decided)).toStrictEqual(['new']);
  expect(namesOf(overdue)).toStrictEqual([]);
});

it('G9 a notice is repeated until a receiver that fails, redirects or is slow accepts it; failures are counted', async () => {
  const failed = await counted(service, 'failed');
  receiver.next('fail', 'redirect', 'hang');
  const request = await propose();
  await delivered(request);
  expect(namesOf(request)).toStrictEqual(['new', 'new', 'new', 'new']);
  expect(await counted(service, 'failed')).toBe(failed + 3);
  const bodies = receiver.received.filter(({ body }) => body.includes(request.request_id));
  expect(new Set(bodies.map(({ body }) => body)).size).toBe(1);
  expect(bodies.every(isSigned)).toBe(true);
  const lines = service.log.filter(({ type }) => type === 'review_notice_failed');
  expect(lines.length).toBeGreaterThanOrEqual(3);
  expect(JSON.stringify(lines)).not.toMatch(/the-proposed-value|the-justification/);
});

it('G9 a receiver that answers twice gets the notice once, and later notices reach it', async () => {
  receiver.next('twice');
  const first = await propose();
  await delivered(first);
  const second = await propose();
  await delivered(second);
  expect([namesOf(first), namesOf(second)]).toStrictEqual([['new'], ['new']]);
});

it('G9 notices for a receiver that is down survive a restart, and two instances send each of them once', async () => {
  const { port } = receiver;
  await receiver.stop();
  const failed = await counted(service, 'failed');
  const requests = [await propose(), await propose()];
  await until(
    'the notices have come',
    async () => (await counted(service, 'failed')) >= failed + 2,
  );
  await service.stop();
  receiver = await WebhookReceiver.start(port);
  const other = await startService();
  service = await startService();
  agent = await Caller.of(service, 'agent', { sub: 'agent' });
  try {
    const late = [await propose(), await propose(), await propose()];
    for (const request of [...requests, ...late]) await delivered(request);
    for (const request of [...requests, ...late]) expect(namesOf(request)).toStrictEqual(['new']);
    // The restart does not send the delivered notices again.
    expect(receiver.received).toHaveLength(5);
  } finally {
    await other.stop();
  }
});
