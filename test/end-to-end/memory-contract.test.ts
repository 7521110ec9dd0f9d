import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MaceClient } from '#client/mace-client.js';
import { fold } from '#domain/decider.js';
import type { JsonObject } from '#domain/json.js';
import type { MemoryEvent } from '#domain/memory-contract/events.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { replayStream } from '#domain/replay/stream-replay.js';
import { MemoryItemQueries } from '#projections/memory-contract/queries.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { Postgres } from '#read-model/postgres.js';
import { streamsOf } from '#test/faults/support/log.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { named } from '#test/support/named.js';

interface Recorded {
  readonly written: readonly MemoryItem[];
  readonly trace: readonly JsonObject[];
}
interface Recalled {
  readonly items: readonly MemoryItem[];
  readonly trace: readonly JsonObject[];
}
interface Store {
  readonly space: string;
  readonly owner: string;
  readonly tick: number;
  readonly version: number;
  readonly items: readonly MemoryItem[];
}

const MEMORY = { short_term: 20, semantic: true, profile: true };

const typesOf = (trace: readonly JsonObject[]) => trace.map(({ type }) => type);

describe('The Memory Contract over HTTP', () => {
  let service: TestService;
  let log: LogReader;
  /** The last position of the log before the tests. */
  let before: bigint | undefined;
  let agent: Caller;
  let auditor: Caller;

  beforeAll(async () => {
    service = await TestService.start();
    log = new LogReader(service.eventStore.url);
    before = await log.position();
    agent = await Caller.of(service, 'agent');
    auditor = await Caller.of(service, 'auditor');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  let sessions = 0;
  const newSession = (): string => named(`talk-${(sessions += 1)}`);
  const asked = (session_id: string, more: object = {}) => ({
    assistant: 'helper',
    session_id,
    memory: MEMORY,
    ...more,
  });
  const saying = (session_id: string, user_text: string, more: object = {}) =>
    asked(session_id, { user_text, ai_text: 'Noted.', ...more });
  const say = (session_id: string, user_text: string, more: object = {}, by = agent) =>
    by.post<Recorded>('memory/interactions', saying(session_id, user_text, more));
  const recall = (session_id: string, query: string, more: object = {}, by = agent) =>
    by.post<Recalled>('memory/recall', asked(session_id, { query, ...more }));
  const store = (space: string, owner: string, more = '', by = agent) =>
    by.get<Store>(`memory/${space}/${owner}${more}`);

  it('a turn is recorded, and a recall returns it with its reasons (SPEC M16, M18)', async () => {
    const session = newSession();
    const { written, trace } = await say(session, 'I prefer tea over coffee.');
    expect(written.map(({ id }) => id)).toStrictEqual([
      `session:${session}:short_term:1`,
      `session:${session}:short_term:2`,
      `session:${session}:semantic:1`,
    ]);
    expect(trace[0]?.['type']).toBe('memory_write');
    const { items, trace: decisions } = await recall(session, 'tea');
    const found = items.find(({ kind }) => kind === 'semantic');
    expect(found?.meta.recall_reason).toStrictEqual([
      'matches_query',
      'recency',
      'importance',
      'space:session',
    ]);
    expect(decisions[0]?.['type']).toBe('memory_recall');
  });

  it('M20 a request sets retention, types and the order of authorities, and the trace shows them', async () => {
    const session = newSession();
    const policy = {
      retention: { short_term: { default: { mode: 'decay', ttl_ticks: 3 } } },
      promotion: { semantic: { allowed_event_types: ['fact'] } },
      authority_order: ['user_asserted', 'tool_verified', 'system_imposed', 'ai_inferred'],
    };
    const { written, trace } = await say(session, 'I prefer tea over coffee.', { policy });
    expect(written.map(({ kind }) => kind)).toStrictEqual(['short_term', 'short_term']);
    const denied = trace.find(({ type }) => type === 'memory_denied');
    expect(denied?.['explanation']).toMatchObject({ reason: 'policy_deny_promotion' });
    await say(session, 'We decided to meet in May.', { policy });
    const recalled = await recall(session, 'tea in May', { policy });
    expect(recalled.items.map(({ id }) => id)).toStrictEqual(
      [3, 4].map((n) => `session:${session}:short_term:${n}`),
    );
    expect(recalled.trace[0]?.['policy']).toMatchObject({
      ...policy,
      retention: { short_term: { fact: { mode: 'decay', ttl_ticks: 3 } } },
    });
  });

  it('M20 a policy field that cannot hold is INVALID_INPUT, and the failure names the field', async () => {
    const session = newSession();
    for (const [policy, field] of [
      [{ retention: { working: {} } }, 'policy.retention.working'],
      [
        { retention: { semantic: { opinion: { mode: 'ttl' } } } },
        'policy.retention.semantic.opinion',
      ],
      [
        { retention: { semantic: { fact: { mode: 'soon' } } } },
        'policy.retention.semantic.fact.mode',
      ],
      [{ retention: { semantic: { fact: {} } } }, 'policy.retention.semantic.fact.mode'],
      [
        { retention: { semantic: { fact: { mode: 'never', ttl_ticks: 3 } } } },
        'policy.retention.semantic.fact.ttl_ticks',
      ],
      [
        { retention: { profile: { default: { mode: 'ttl', ttl_ticks: 0 } } } },
        'policy.retention.profile.default.ttl_ticks',
      ],
      [{ promotion: { semantic: {} } }, 'policy.promotion.semantic.allowed_event_types'],
      [{ authority_order: ['user_asserted'] }, 'policy.authority_order'],
      [{ authority_order: ['king'] }, 'policy.authority_order.0'],
    ] as const) {
      const body = asked(session, { query: 'tea', policy });
      const { developer_message } = await agent.refused('INVALID_INPUT', 'POST', 'memory/recall', {
        body,
      });
      expect(developer_message).toContain(`${field}`);
    }
  });

  it('Q6 a recall by relevance finds items by other forms of their words, however old they are, also for a hidden query', async () => {
    const session = newSession();
    const write = { policy: { write_policy: 'aggressive', forget_policy: 'never' } };
    const talk = [
      'We went camping by the lake.',
      'The weather is fine.',
      'I like tea.',
      'So it is.',
    ];
    for (const text of talk) await say(session, text, write);
    const semantic = async (query: string, ranking: string) => {
      const { items } = await recall(session, query, { policy: { ...write.policy, ranking } });
      return items.filter(({ kind }) => kind === 'semantic');
    };
    const found = await semantic('Who camps?', 'relevance');
    expect(found.map(({ text }) => text)).toStrictEqual([
      'We went camping by the lake.',
      'The weather is fine.',
      'I like tea.',
    ]);
    expect(found[0]?.meta.score).toBeGreaterThan(found[1]?.meta.score ?? Infinity);
    expect(found[0]?.meta.recall_reason).toStrictEqual(['matches_query', 'space:session']);
    expect(await semantic('what is it?', 'relevance')).toStrictEqual([]);
    const hidden = await semantic('Who camps? My password is hunter2', 'relevance');
    expect(hidden[0]?.text).toBe('We went camping by the lake.');
    const usual = await semantic('Who camps?', 'overlap');
    expect(usual.map(({ text }) => text)).not.toContain('We went camping by the lake.');
    const [summary] = (await recall(session, 'tea', { policy: { ranking: 'relevance' } })).trace;
    expect(summary?.['policy']).toMatchObject({
      ranking: { order: 'relevance', version: 2, language: 'english' },
    });
    await agent.refused('INVALID_INPUT', 'POST', 'memory/recall', {
      body: asked(session, { query: 'tea', policy: { ranking: 'vectors' } }),
    });
  });

  it('another owner’s session and user are refused (SPEC I9, M2)', async () => {
    const session = newSession();
    const other = await Caller.of(service, 'agent', { sub: named('agent-2') });
    const admin = await Caller.of(service, 'admin');
    await say(session, 'I like rain.');
    const bodies = { body: saying(session, 'I like sun.') };
    await other.refused('PERMISSION_DENIED', 'POST', 'memory/interactions', bodies);
    const query = { body: asked(session, { query: '' }) };
    await other.refused('PERMISSION_DENIED', 'POST', 'memory/recall', query);
    await other.refused('PERMISSION_DENIED', 'GET', `memory/session/${session}`);
    await other.refused('PERMISSION_DENIED', 'POST', 'jobs', { body: { session_id: session } });
    expect((await store('session', session, '', auditor)).items).toHaveLength(3);
    expect((await say(session, 'I like wind.', {}, admin)).written).toHaveLength(3);

    const bound = await Caller.of(service, 'agent', {
      sub: named('agent-3'),
      user_id: named('Ada'),
    });
    const ofAnother = { body: saying(newSession(), 'Hello.', { user_id: named('grace') }) };
    await bound.refused('PERMISSION_DENIED', 'POST', 'memory/interactions', ofAnother);
    await say(newSession(), 'Hello.', { user_id: named('user_ada') }, bound);
    await bound.refused('PERMISSION_DENIED', 'GET', `memory/user/${named('grace')}`);
    await agent.refused('PERMISSION_DENIED', 'GET', 'memory/system/system');
    await agent.refused('PERMISSION_DENIED', 'GET', 'memory/project/0123456789ab');
    await agent.refused('NOT_FOUND', 'GET', `memory/session/${named('nobodys')}`);
  });

  it('of two ids that normalise to one owner, the second is refused (SPEC M2, I9)', async () => {
    const session = newSession();
    await say(`${session} a`, 'I like rain.');
    const body = saying(`${session}:a`, 'I like sun.');
    await agent.refused('PERMISSION_DENIED', 'POST', 'memory/interactions', { body });
    expect((await store('session', `${session}_a`)).items).toHaveLength(3);
    await say(newSession(), 'Hello.', { user_id: named('user:bob') });
    const second = saying(newSession(), 'Hello.', { user_id: named('user_bob') });
    await agent.refused('PERMISSION_DENIED', 'POST', 'memory/interactions', { body: second });
  });

  it('a retry gets the first answer and adds no second event (SPEC I7)', async () => {
    const session = newSession();
    const small = { user_id: named('u-retry'), memory: { ...MEMORY, short_term: 1 } };
    await say(session, 'Hello.', small);
    const body = saying(session, 'My name is Ada, remember this for me.', small);
    const first = await agent.did<Recorded>('POST', 'memory/interactions', { body, key: 'k-1' });
    await say(session, 'I prefer tea.', { user_id: named('u-retry') });
    const query = asked(session, { query: 'tea', user_id: named('u-retry') });
    const recalled = await agent.did<Recalled>('POST', 'memory/recall', {
      body: query,
      key: 'k-2',
    });
    await say(session, 'I prefer coffee.', { user_id: named('u-retry') });
    const end = await log.position();
    const again = await agent.did<Recorded>('POST', 'memory/interactions', { body, key: 'k-1' });
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(
      typesOf(again.body.trace).filter((type) => type === 'memory_promoted').length,
    ).toStrictEqual(2);
    const recalledAgain = await agent.did('POST', 'memory/recall', { body: query, key: 'k-2' });
    expect(JSON.stringify(recalledAgain.body)).toBe(JSON.stringify(recalled.body));
    expect(positionOf(again)).toBe(positionOf(first));
    expect(await log.madeBy(named('agent'), end)).toStrictEqual([]);

    const differs = { body: { ...body, user_text: 'I prefer milk.' }, key: 'k-1' };
    await agent.refused('IDEMPOTENCY_MISMATCH', 'POST', 'memory/interactions', differs);
    const elsewhere = { body: { ...body, session_id: newSession() }, key: 'k-1' };
    await agent.refused('IDEMPOTENCY_MISMATCH', 'POST', 'memory/interactions', elsewhere);
  });

  it('no interaction is lost when two instances record in one session at the same time', async () => {
    const { eventStore, postgres } = service;
    const second = await TestService.start({ servers: { eventStore, postgres } });
    try {
      const twin = await Caller.of(second, 'agent');
      const session = newSession();
      const kept = {
        memory: { ...MEMORY, short_term: 100 },
        policy: { forget_policy: 'never' },
      };
      const turns = Array.from({ length: 20 }, (_, index) => `I prefer number ${index}.`);
      const answers = await Promise.all(
        turns.map((text, index) => say(session, text, kept, index % 2 === 0 ? agent : twin)),
      );
      const { items, tick } = await store('session', session, '', twin);
      const written = answers.flatMap((answer) => answer.written);
      expect(new Set(written.map(({ id }) => id)).size).toBe(written.length);
      expect(new Set(written.map(({ created_at }) => created_at)).size).toBe(written.length);
      const semantic = items.filter(({ kind }) => kind === 'semantic').map(({ text }) => text);
      expect(semantic.sort()).toStrictEqual([...turns].sort());
      // Each interaction stores three items, which take one tick each, and the phase takes one tick.
      expect(tick).toBe(3 * turns.length + 1);
    } finally {
      await second.stop();
    }
  });

  it('a recall shows promotions and deletions by another instance at once (SPEC S6, M16)', async () => {
    const { eventStore, postgres } = service;
    const second = await TestService.start({ servers: { eventStore, postgres } });
    try {
      const twin = await Caller.of(second, 'agent');
      const user_id = named('user_carol');
      const [here, there] = [newSession(), newSession()];
      const facts = async (): Promise<readonly string[]> => {
        const { items, trace } = await recall(here, 'hats', { user_id });
        const found = trace.filter(({ type }) => type === 'memory_recall');
        expect(found).toHaveLength(1);
        return items.filter(({ meta }) => meta.space === 'user').map(({ text }) => text);
      };
      await say(here, 'I like hats.', { user_id });
      for (let known = 0; known < 3; known += 1) expect(await facts()).toStrictEqual([]);
      const seen: string[] = [];
      for (const colour of ['red', 'green', 'blue']) {
        const text = `I prefer ${colour} hats, remember this for me.`;
        await say(there, text, { user_id }, twin);
        seen.push(text);
        expect([...(await facts())].sort()).toStrictEqual([...seen].sort());
      }
      const events = await log.events(`memory-session:${here}`);
      expect(events.filter(({ type }) => type === 'recall_asked')).toHaveLength(6);
    } finally {
      await second.stop();
    }
  });

  it('P3 M8 a turn with a secret or personal data is denied, and a query with it is redacted; neither is in the log or the rows', async () => {
    const session = newSession();
    const [mail, word] = ['ada.lovelace@example.org', 'hunter2-sesame'];
    for (const secret of [
      `Write to ${mail}, I prefer that.`,
      `I decided that my password is ${word}`,
    ]) {
      const { written, trace } = await say(session, secret);
      expect(written.map(({ source }) => source)).toStrictEqual(['ai']);
      const denied = trace.filter(({ type }) => type === 'memory_denied');
      expect(denied.map(({ reason }) => reason)).toStrictEqual(
        Array(2).fill('privacy_deny_sensitive'),
      );
    }
    const asked_ = await recall(session, `who is ${mail}?`);
    expect(asked_.trace[0]?.['query']).toBe('(redacted)');
    const body = saying(newSession(), 'Hello.', { phase: { token: 't', name: mail } });
    await agent.refused('PRIVACY_BLOCKED', 'POST', 'memory/interactions', { body });
    const rows = new Postgres({ url: service.postgres.url, maxConnections: 1 });
    const kept = await rows.query<{ row: string }>(
      'select one::text as row from memory_items.item as one',
    );
    await rows.close();
    const events = (await log.since(before)).map(({ data, metadata }) => [data, metadata]);
    for (const secret of [mail, word])
      expect(JSON.stringify([events, kept, asked_])).not.toContain(secret);
  });

  it('a recall that changes nothing makes one append if a trace is requested, and no append otherwise (SPEC M20)', async () => {
    const session = newSession();
    const more = { user_id: named('u-cost'), project_root: '/srv/cost' };
    await say(session, 'I prefer tea.', more);
    const end = await log.position();
    const silent = await recall(session, 'tea', { ...more, trace: false });
    expect(silent.trace).toStrictEqual([]);
    expect(silent.items).toHaveLength(3);
    expect(await log.madeBy(named('agent'), end)).toStrictEqual([]);
    const known = await log.types(`memory-session:${session}`);
    const told = await recall(session, 'tea', more);
    expect(told.items).toStrictEqual(silent.items);
    const types = await log.types(`memory-session:${session}`);
    expect(types.slice(known.length)).toStrictEqual(['recall_asked', ...typesOf(told.trace)]);
    expect(await log.events(`memory-user:${named('u-cost')}`)).toHaveLength(0);
    expect(await log.events('memory-system:system')).toHaveLength(0);
  });

  it('a store can be read at an earlier tick, with its phases and their changes (SPEC X3, M14, M15)', async () => {
    const session = newSession();
    await say(session, 'My name is Ada.');
    const early = await store('session', session);
    const next = { phase: { token: 'next', name: 'Second', reason: 'new_topic' } };
    await say(session, 'Actually, my name is Grace.', {
      ...next,
      ai_text: 'Corrected.',
    });
    expect((await store('session', session, `?tick=${early.tick}`)).items).toStrictEqual(
      early.items,
    );
    expect((await store('session', session, '?tick=0')).items).toStrictEqual([]);
    const now = await store('session', session);
    expect(await store('session', session, '?tick=1000')).toStrictEqual(now);

    const { phases } = await agent.get<{ phases: JsonObject[] }>(
      `memory/session/${session}/phases`,
    );
    expect(
      phases.map(({ phase_id, phase_reason, phase_name }) => [phase_id, phase_reason, phase_name]),
    ).toStrictEqual([
      ['phase-1', 'auto', undefined],
      ['phase-2', 'new_topic', 'Second'],
    ]);
    const diff = await agent.get<JsonObject>(
      `memory/session/${session}/phases/diff?from=phase-1&to=phase-2`,
    );
    expect(diff['summary_lines']).toStrictEqual([
      'Added 3 items',
      'Deleted 0 items',
      'Replaced 1 items',
    ]);
    await agent.refused(
      'INVALID_INPUT',
      'GET',
      `memory/session/${session}/phases/diff?from=phase-1`,
    );
    await agent.refused('INVALID_INPUT', 'GET', `memory/session/${session}?tick=-1`);
    await agent.refused('INVALID_INPUT', 'GET', `memory/everywhere/${session}`);
  });

  it('the decisions of a store come in pages, in order, in both formats (SPEC M19, S6)', async () => {
    const session = newSession();
    const first = await say(session, 'I prefer tea over coffee.');
    const second = await recall(session, 'tea');
    // With a window of one turn, each further interaction adds the previous turn to the summary.
    const small = { memory: { ...MEMORY, short_term: 1 } };
    const summarized: (Partial<Recorded> & Pick<Recorded, 'trace'>)[] = [
      await say(session, 'One.', small),
      await say(session, 'Two.', small),
      await recall(session, '', small),
      await say(session, 'I prefer milk.', small),
    ];
    const kept = summarized[3]?.written?.find(({ meta }) => meta.summary_of !== undefined);
    expect(kept?.meta.summary_of).toStrictEqual(
      [1, 2, 3, 4, 6, 7, 9].map((n) => `session:${session}:short_term:${n}`),
    );
    const path = `memory/session/${session}/traces`;
    const { traces, next_from } = await agent.get<{
      traces: JsonObject[];
      next_from: number | null;
    }>(`${path}?limit=500`);
    const own = traces.map(({ number: _, ...trace }) => trace);
    expect(own).toStrictEqual([
      ...first.trace,
      ...second.trace,
      ...summarized.flatMap(({ trace }) => trace),
    ]);
    expect(next_from).toBeNull();
    const page = await agent.get<{ traces: JsonObject[]; next_from: number }>(`${path}?limit=2`);
    expect(page.traces).toStrictEqual(traces.slice(0, 2));
    const rest = await agent.get<{ traces: JsonObject[] }>(
      `${path}?from=${page.next_from}&limit=500`,
    );
    expect(rest.traces).toStrictEqual(traces.slice(2));

    const plain = await auditor.did<string>('GET', `${path}?format=plain&limit=1`);
    expect(plain.headers.get('content-type') ?? '').toMatch(/^text\/plain/);
    const lines = plain.body.split('\n');
    expect(lines).toContain('written.count: 3');
    expect(lines).toContain('written.3.meta.event_type: preference');
  });

  it('a store is read turn by turn: what was said, what was kept, what was not, and why', async () => {
    const session = newSession();
    const small = { memory: { ...MEMORY, short_term: 2 } };
    const recorded = [
      await say(session, 'Hello!', small),
      await say(session, 'My timezone is CET.', { ...small, tool_events: [{ ok: true }] }),
      await say(session, 'My password is swordfish.', small),
      await say(session, 'I like tea, remember this for me.', small),
    ];
    await recall(session, 'tea', small);
    const mace = new MaceClient({ baseUrl: service.url, token: await service.token('auditor') });
    const all = await mace.memory.turns('session', session);
    expect(all).toMatchObject({ earlier: null, later: null });
    expect(all.turns.map(({ type, user }) => [type, user?.text])).toStrictEqual([
      ['interaction_recorded', 'Hello!'],
      ['interaction_recorded', 'My timezone is CET.'],
      ['interaction_recorded', null],
      ['interaction_recorded', 'I like tea, remember this for me.'],
      ['recall_asked', undefined],
    ]);
    const [hello, zone, secret, tea] = all.turns;
    expect(hello).toMatchObject({
      left_out: [{ source: 'user', kind: 'semantic', reason: 'low_signal' }],
    });
    expect(hello!.stored.map(({ deleted }) => deleted?.reason)).toStrictEqual([
      ...['expired', 'expired'],
    ]);
    expect(zone!.stored.map(({ item }) => item.id)).toStrictEqual(
      recorded[1]!.written.map(({ id }) => id),
    );
    expect(zone).toMatchObject({ tool: { text: 'tool_events:[{"ok":true}]' }, left_out: [] });
    expect(secret).toMatchObject({ user: { withheld: 'privacy_deny_sensitive' } });
    expect(JSON.stringify(all)).not.toContain('swordfish');
    expect(typesOf(tea!.decisions)).toContain('memory_promoted');
    expect(Date.parse(tea!.recorded_at)).toBeGreaterThanOrEqual(Date.parse(zone!.recorded_at));
    const page = await mace.memory.turns('session', session, { limit: 2 });
    expect(page.turns).toStrictEqual(all.turns.slice(-2));
    const earlier = await mace.memory.turns('session', session, {
      ...{ limit: 2, before: page.earlier! },
    });
    expect(earlier).toMatchObject({ turns: all.turns.slice(1, 3), later: page.turns[0]!.number });
    const from = await mace.memory.turns('session', session, { from: zone!.number + 3, limit: 1 });
    expect(from).toStrictEqual({
      ...{ turns: [zone], earlier: zone!.number, later: secret!.number },
    });
    await agent.refused('INVALID_INPUT', 'GET', `memory/session/${session}/turns?from=1&before=2`);
  });

  it('unknown fields and oversized values are refused (SPEC M20, F4)', async () => {
    const refused = (more: object) =>
      agent.refused('INVALID_INPUT', 'POST', 'memory/interactions', {
        body: saying(newSession(), 'Hello.', more),
      });
    await refused({ user_text: 'x'.repeat(16_385) });
    await refused({ ai_text: 'x'.repeat(16_385) });
    await refused({ tool_events: Array.from({ length: 101 }, () => 1) });
    await refused({ tool_events: [{ out: 'x'.repeat(70_000) }] });
    await refused({ tool_events: { not: 'a list' } });
    await refused({ memory: { short_term: 1.5, semantic: true, profile: true } });
    await refused({ memory: { short_term: 1, semantic: true } });
    await refused({ policy: { write_policy: 'greedy' } });
    await refused({ policy: { max_phases: 0 } });
    await refused({ policy: { spaces: { read_order: ['session', 'session'] } } });
    await refused({ policy: { spaces: { promotions: [{ from_space: 'session' }] } } });
    await refused({ policy: { semantic_top_k: 4 } });
    await refused({ phase: { name: 'no token' } });
    await refused({ phase_diff: { from: 'phase-1' } });
    await refused({ project_root: 'relative/path' });
    await refused({ more: 1 });
    const body = asked(newSession(), { query: 1 });
    await agent.refused('INVALID_INPUT', 'POST', 'memory/recall', { body });
    const user = await Caller.of(service, 'user');
    await user.refused('PERMISSION_DENIED', 'POST', 'memory/recall', {
      body: asked(newSession(), { query: '' }),
    });
  });

  it('the SDK has every call of the Memory Contract, and a recall that changes nothing costs one append (SPEC §13)', async () => {
    const mace = new MaceClient({ baseUrl: service.url, token: agent.token });
    const session_id = newSession();
    const turn = { assistant: 'helper', session_id, memory: MEMORY };
    const { written } = await mace.memory.interactions({
      ...turn,
      user_text: 'I prefer tea.',
      ai_text: 'Noted.',
    });
    const known = await log.types(`memory-session:${session_id}`);
    const { items, trace } = await mace.memory.recall({ ...turn, query: 'tea' });
    expect(items.map(({ id }) => id)).toStrictEqual(written.map(({ id }) => id));
    const types = await log.types(`memory-session:${session_id}`);
    expect(types.slice(known.length)).toStrictEqual([
      'recall_asked',
      ...trace.map(({ type }) => type),
    ]);
    expect((await mace.memory.store('session', session_id)).tick).toBe(4);
    expect((await mace.memory.store('session', session_id, { tick: 2 })).items).toHaveLength(1);
    expect((await mace.memory.phases('session', session_id)).phases).toHaveLength(1);
    const ends = { from: 'phase-1', to: 'phase-1' };
    expect((await mace.memory.phaseDiff('session', session_id, ends))['added_count']).toBe(0);
    const { traces } = await mace.memory.traces('session', session_id, { limit: 1 });
    expect(traces.map(({ number, type }) => [number, type])).toStrictEqual([[1, 'memory_write']]);
  });

  it('the streams replay identically, and the rows of stores match the fold of their streams (SPEC X1, I1)', async () => {
    const streams = [...(await streamsOf(log.eventStore, before))].filter(([name]) =>
      name.startsWith('memory-'),
    );
    expect(streams.length).toBeGreaterThan(10);
    await agent.get(`memory/session/${named('talk-1')}`, {
      after: String(await log.position()),
    });
    const postgres = new Postgres({ url: service.postgres.url, maxConnections: 1 });
    const rows = new MemoryItemQueries(postgres);
    try {
      for (const [stream, events] of streams) {
        const report = await replayStream(memoryDecider, stream, events, 'strict');
        expect([stream, report.identical]).toStrictEqual([stream, true]);
        const state = fold(
          memoryDecider,
          memoryDecider.initialState(stream),
          events.map((event) => event as unknown as MemoryEvent),
        );
        const { space, owner, tick, version } = state;
        const [row] = await rows.stores(stream, '', 1);
        expect(row).toStrictEqual({ space, owner, tick, revision: version });
      }
    } finally {
      await postgres.close();
    }
  });
});
