import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sha256Hex } from '#domain/determinism/hash.js';
import { eventId } from '#domain/determinism/ids.js';
import type { RouterEvent } from '#domain/router/events.js';
import { routerDecider } from '#domain/router/router.decider.js';
import { replayStream } from '#domain/replay/stream-replay.js';
import { routerStream } from '#domain/stream-names.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { assertReported, failureOf, type LogLine } from '#test/support/failure.js';
import { HASH, INSTANT } from '#test/support/matchers.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

let service: TestService;
let log: LogReader;
let agent: Caller;
let admin: Caller;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  log = new LogReader(service.eventStore.url);
  agent = await Caller.of(service, 'agent', { sub: 'router-agent' });
  admin = await Caller.of(service, 'admin');
});
afterAll(async () => {
  await log.close();
  await service.stop();
});

const routed = (query_text: string, user_id?: string) =>
  agent.post('route', { query_text, ...(user_id === undefined ? {} : { user_id }) });

/** The event of a decision. */
const decided = (agent_id: string | null, route_reason: string | null, user_id?: string) => ({
  type: 'router_decision',
  data: {
    ...{ agent_id, route_reason, user_id: user_id ?? null },
    ...{ query_hash: HASH, sem_snapshot_hash: HASH, timestamp: INSTANT },
  },
});

/** Returns all log lines of the request to which this line belongs. */
const linesOf = ({ query_id }: LogLine) =>
  service.log.filter((line) => line['query_id'] === query_id);

const decisions = (sub: string) => log.events(routerStream(sub));

describe('Routing over HTTP', () => {
  const [MATH, FACT, PROFILE] = [
    ['Integrate x^2 dx', 'math_agent', 'math_detect'],
    ["What is Ohm's law?", 'knowledge_agent', 'fact_lookup'],
    ['What is my favorite color?', 'profile_agent', 'profile_lookup', 'tuff'],
  ] as const;
  const cases: readonly (readonly [string, readonly [string, string, string, string?]])[] = [
    ['002-R-T1 [stage0] [golden] [high]', MATH],
    ['002-R-T2 [stage0] [golden] [high]', FACT],
    ['002-R-T3 [stage0] [golden] [high]', PROFILE],
    [
      '002-R-T4 [stage0] [golden] [medium]',
      ['Write a short poem about rains', 'creative_agent', 'creative'],
    ],
    [
      '002-R-T5 [stage0] [golden] [medium]',
      ['Remember my favorite food is pizza', 'operational_agent', 'command'],
    ],
    [
      '002-R-T6 [stage0] [golden] [medium]',
      ['Colorless green ideas sleep furiously', 'generic_agent', 'fallback'],
    ],
    ['002-T12 [stage0] [golden] [high]', MATH],
    ['002-T13 [stage0] [golden] [high]', FACT],
    ['002-T14 [stage0] [golden] [high]', PROFILE],
  ];
  for (const [id, [text, agent_id, route_reason, user_id]] of cases)
    test(`${id} ${text} goes to ${agent_id} by ${route_reason}`, async () => {
      expect(await routed(text, user_id)).toStrictEqual({ agent_id, route_reason, depth: 1 });
      expect((await decisions('router-agent')).at(-1)).toMatchObject(
        decided(agent_id, route_reason, user_id),
      );
    });

  test('002-R-T7 [stage0] [golden] [critical] a social security number is blocked and not routed', async () => {
    const caller = await Caller.of(service, 'user', { sub: 'carol' });
    const body = { query_text: 'My SSN is 123-45-6789' };
    const answer = await caller.ask('POST', 'route', { body });
    assertReported(service, answer, failureOf('PRIVACY_BLOCKED', { finding_types: 'us_ssn' }));
    expect(await decisions('carol')).toStrictEqual([]);
    const audit = await log.events(`audit-${sha256Hex('carol').slice(0, 16)}`);
    expect(audit.map(({ data }) => [data['code'], data['route']])).toStrictEqual([
      ['PRIVACY_BLOCKED', 'POST /v1/route'],
    ]);
    expect(JSON.stringify([answer.body, audit.map(({ data }) => data), service.log])).not.toContain(
      '123-45',
    );
  });

  test('personal data in the context tags is also blocked, because the log line for a text that no rule matches contains the tags', async () => {
    const body = { query_text: 'hello', context_tags: { mail: 'alice@example.com' } };
    await agent.refused('PRIVACY_BLOCKED', 'POST', 'route', { body });
  });

  test('002-T15 [stage0] [golden] [medium] a text that no rule matches goes to the generic agent, and is counted and logged', async () => {
    const fallbacks = async () =>
      Number(
        /^router_fallback_count (\d+)$/m.exec(
          (await service.call<string>('GET', '/metrics')).body,
        )?.[1],
      );
    const before = await fallbacks();
    const decidedBefore = (await decisions('router-agent')).length;
    const context_tags = { is_emotional: false };
    const body = { query_text: 'Do something  weird and UNKNOWN', context_tags };
    const answer = await agent.post('route', body);
    expect(answer).toStrictEqual({ agent_id: 'generic_agent', route_reason: 'fallback', depth: 1 });
    expect(await fallbacks()).toBe(before + 1);
    const made = (await decisions('router-agent')).slice(decidedBefore);
    expect(made).toStrictEqual([expect.objectContaining(decided('generic_agent', 'fallback'))]);
    const miss = service.log.findLast(({ type }) => type === 'router_miss');
    ensure(miss);
    expect(linesOf(miss)).toStrictEqual([miss]);
    expect(miss).toMatchObject({
      agent_id: 'generic_agent',
      query_hash: HASH,
      context_tags: [HASH],
      sem_snapshot_hash: HASH,
    });
    expect(JSON.stringify(miss)).not.toContain('is_emotional');
    await agent.post('route', { query_text: 'do something weird and unknown' });
    const again = service.log.findLast(({ type }) => type === 'router_miss');
    // The hash covers the normalised text, so both spellings have one hash.
    expect(again?.['query_hash']).toBe(miss['query_hash']);
  });

  test('002-T15 [stage0] [golden] [medium] a text that no rule matches is ROUTER_NO_MATCH if a fact switches the fallback off', async () => {
    const off = 'sem/mace/config/router/enable_fallback';
    await admin.did('PUT', off, { body: { value: false } });
    const body = { query_text: 'Do something weird and unknown' };
    const answer = await agent.ask('POST', 'route', { body });
    const line = assertReported(service, answer, failureOf('ROUTER_NO_MATCH'));
    const lines = linesOf(line);
    expect(lines.map(({ type }) => type)).toStrictEqual(['router_miss', 'error']);
    const summary = { depth_level: 1, intent_tags: [], urgency: 'normal' };
    expect(lines[0]).toMatchObject({ agent_id: null, qcp_summary: summary });
    expect((await decisions('router-agent')).at(-1)).toMatchObject(decided(null, null));
    const count = (await decisions('router-agent')).length;
    for (let times = 0; times < 2; times += 1)
      await agent.refused('ROUTER_NO_MATCH', 'POST', 'route', { body, key: 'missed-once' });
    expect(await decisions('router-agent')).toHaveLength(count + 1);
    await admin.did('PUT', off, { body: { value: true } });
    expect((await routed('Do something weird and unknown'))['agent_id']).toBe('generic_agent');
  });
});

describe('What routing records', () => {
  test('a rule that a fact switches off is skipped from the next routing decision on', async () => {
    const key = 'sem/mace/config/router/enable_math_detect';
    await admin.did('PUT', key, { body: { value: false } });
    expect((await routed('What is 2 + 2'))['route_reason']).toBe('fact_lookup');
    await admin.did('DELETE', key);
    expect((await routed('What is 2 + 2'))['route_reason']).toBe('math_detect');
  });

  test('routing decisions contain a keyed hash and seeded times, never the text, and replay identically', async () => {
    await routed('Compose a song about lighthouses');
    const events = await decisions('router-agent');
    const { data, metadata, number, stream } = events.at(-1) as LoggedEvent & RouterEvent;
    expect(data.query_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(data.query_hash).not.toBe(sha256Hex('Compose a song about lighthouses'));
    expect(data.timestamp).toBe(metadata.seeded_ts);
    expect(metadata.event_id).toBe(eventId(stream, number, 'router_decision'));
    expect(JSON.stringify(events.map((event) => event.data))).not.toContain('lighthouse');
    const recorded = readRecorded(log.eventStore, stream);
    const report = await replayStream(routerDecider, stream, recorded, 'strict');
    expect(report.identical).toBe(true);
  });

  test('a routing request that is retried with its key gets the first decision and records no second one', async () => {
    const body = { query_text: 'Tell me something' };
    const first = await agent.did('POST', 'route', { body, key: 'retry-1' });
    const count = (await decisions('router-agent')).length;
    const second = await agent.did('POST', 'route', { body, key: 'retry-1' });
    expect(second.body).toStrictEqual(first.body);
    expect(await decisions('router-agent')).toHaveLength(count);
    const other = { query_text: 'Tell me something else' };
    await agent.refused('IDEMPOTENCY_MISMATCH', 'POST', 'route', { body: other, key: 'retry-1' });
  });

  test('routing for another user, and a blank or too long query, are refused', async () => {
    const user = await Caller.of(service, 'user', { sub: 'u1', user_id: 'tuff' });
    const foreign = { query_text: 'What is my name?', user_id: 'somebody' };
    await user.refused('PERMISSION_DENIED', 'POST', 'route', { body: foreign });
    for (const query_text of ['', '  \n', 'x'.repeat(16_001)])
      await user.refused('INVALID_INPUT', 'POST', 'route', { body: { query_text } });
    const context_tags = { long: 'x'.repeat(5_000) };
    await user.refused('INVALID_INPUT', 'POST', 'route', {
      body: { query_text: 'hello', context_tags },
    });
  });
});
