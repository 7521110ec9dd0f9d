import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import type { JsonObject } from '#domain/json.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Postgres } from '#read-model/postgres.js';
import { TestService } from '#test/support/service.js';
import { assertRowsAreTheFold } from './support/read-models.js';
import { until } from './support/until.js';

/** JSON texts of values that cannot be stored (SPEC I5), as a client sends them. */
const UNSTORABLE: Readonly<Record<string, string>> = {
  'a lone high surrogate': String.raw`"\ud800"`,
  'a lone low surrogate': String.raw`"a\udc00b"`,
  'surrogates in the wrong order': String.raw`"\udc00\ud800"`,
  'U+0000 in a string': String.raw`"a\u0000"`,
  '2^53 + 1': '9007199254740993',
  '-2^53 - 1': '-9007199254740993',
  'a large integer with an exponent': '1e40',
  '1e400': '1e400',
  '-1e400': '-1e400',
};

/** JSON texts of objects that cannot be stored. */
const UNSTORABLE_OBJECTS: Readonly<Record<string, string>> = {
  'a duplicate key': '{"a":1,"a":2}',
  'a duplicate key, spelled differently': String.raw`{"a":1,"\u0061":2}`,
  'U+0000 in a key': String.raw`{"a\u0000":1}`,
  'a lone surrogate in a key': String.raw`{"\ud800":1}`,
  'a value deep inside': String.raw`{"a":[{"b":[1,["\ud83d"]]}]}`,
};

/** This value is accepted in every place, even in one that takes a JSON Pointer. */
const ORDINARY = '"/ordinary"';

const STORABLE: readonly string[] = [
  '9007199254740991',
  '-9007199254740991',
  '0.1',
  '5e-324',
  '-0',
  String.raw`"\ud83d\ude00 \uffff \u0001 \u2028 \u007f"`,
  String.raw`{"__proto__":{"constructor":null},"":"","\u2028":[]}`,
];

const SEED = 'unstorable';
const JOB = `/v1/jobs/${SEED}`;
const HASH = 'a'.repeat(64);

/**
 * A place in a request body that takes a value. A place that takes only text is tried only with strings.
 */
interface Place {
  readonly method?: 'PUT';
  readonly path: string;
  readonly who: 'agent' | 'admin' | 'council';
  readonly body: (value: string) => string;
  readonly takes: 'anything' | 'text';
}

const places: Readonly<Record<string, Place>> = {
  'the goal of a start': agent('/v1/jobs', (v) => `{"goal":${v}}`, 'text'),
  'a WM value': agent(`${JOB}/wm`, (v) => `{"type":"fact","value":${v}}`),
  'a goal': agent(`${JOB}/goals`, (v) => `{"goal":${v}}`, 'text'),
  'an episode’s summary': agent(`${JOB}/episodes`, (v) => `{"summary":${v}}`, 'text'),
  'an episode’s payload': agent(`${JOB}/episodes`, (v) => `{"summary":"s","payload":{"x":${v}}}`),
  'an episode’s evidence': agent(
    `${JOB}/episodes`,
    (v) => `{"summary":"s","payload":null,"evidence":[{"x":${v}}]}`,
  ),
  'a batch': agent(
    `${JOB}/commands`,
    (v) => `{"commands":[{"op":"tick"},{"op":"wm_insert","type":"fact","value":[${v}]}]}`,
  ),
  'wm/find': agent(`${JOB}/wm/find`, (v) => `{"equals":{"/value":${v}}}`),
  'cwm/find': agent(`${JOB}/cwm/find`, (v) => `{"exists":[${v}]}`, 'text'),
  'a fact': admin((v) => `{"value":${v}}`),
  'a fact’s meta': admin((v) => `{"value":1,"meta":{"trust":${v}}}`),
  'a fact’s notes': admin((v) => `{"value":1,"notes":${v}}`, 'text'),
  'a title': {
    path: '/v1/sem-keys',
    who: 'admin',
    body: (v) => `{"scope":"world","entity_type":"fact","entity_id":${v},"attribute":"a"}`,
    takes: 'text',
  },
  'an alias': agent('/v1/sem-aliases/resolve', (v) => `{"text":${v}}`, 'text'),
  'an episodes query': agent('/v1/episodes/query', (v) => `{"query_terms":${v}}`, 'text'),
  'a proposed value': agent('/v1/action-requests', (v) => proposal(v, '"j"')),
  'a justification': agent('/v1/action-requests', (v) => proposal('1', v), 'text'),
  'a vote’s reason': {
    path: '/v1/action-requests/r1/votes',
    who: 'council',
    body: (v) => `{"vote":"approve","reason":${v},"proposal_hash":"${HASH}"}`,
    takes: 'text',
  },
};

function agent(
  path: string,
  body: (value: string) => string,
  takes: Place['takes'] = 'anything',
): Place {
  return { path, who: 'agent', body, takes };
}

function admin(body: (value: string) => string, takes: Place['takes'] = 'anything'): Place {
  return { method: 'PUT', path: '/v1/sem/world/fact/unstorable/value', who: 'admin', body, takes };
}

const proposal = (value: string, justification: string): string =>
  `{"episodic_id":"ep:1","target_sem_key":"world/fact/x/y","value":${value},"justification":${justification}}`;

let service: TestService;
let log: EventStore;
let rows: Postgres;
let tokens: Record<Place['who'], string>;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  log = connectEventStore(service.eventStore.url);
  rows = new Postgres({ url: service.postgres.url, maxConnections: 2 });
  tokens = {
    agent: await service.token('agent'),
    admin: await service.token('admin'),
    council: await service.token('council'),
  };
  await take(
    agent('/v1/jobs', (seed) => `{"job_seed":${seed}}`),
    `"${SEED}"`,
  );
});

afterAll(async () => {
  await log.close();
  await rows.close();
  await service.stop();
});

async function sent(place: Place, value: string): Promise<ErrorEnvelope> {
  const { method = 'POST', path, who, body } = place;
  return (await service.call(method, path, { token: tokens[who], body: body(value) })).body;
}

/** Sends a value that must be accepted. */
async function take(place: Place, value: string): Promise<void> {
  const answer = await sent(place, value);
  expect([answer, answer.error_code]).toStrictEqual([answer, undefined]);
}

for (const [where, place] of Object.entries(places)) {
  test(`a value that cannot be stored is refused in ${where} and leaves no event`, async () => {
    const values = {
      ...UNSTORABLE,
      ...(place.takes === 'text' ? {} : UNSTORABLE_OBJECTS),
    };
    const end = await log.lastPosition();
    for (const [what, value] of Object.entries(values)) {
      const { error_code, status } = await sent(place, value);
      expect([what, { error_code, status }]).toStrictEqual([
        what,
        { error_code: 'INVALID_INPUT', status: 400 },
      ]);
    }
    expect(await log.lastPosition()).toBe(end);
    const { error_code } = await sent(place, ORDINARY);
    // An ordinary value is accepted in this place.
    expect(error_code).not.toBe('INVALID_INPUT');
  });
}

test('a body that is not UTF-8 is refused at every route and leaves no event', async () => {
  const end = await log.lastPosition();
  for (const { method = 'POST', path, who, body } of Object.values(places)) {
    const bytes = Buffer.from(body('"\u00e9"'), 'latin1');
    const answer = await service.call(method, path, { token: tokens[who], body: bytes });
    expect([path, answer.status]).toStrictEqual([path, 400]);
    expect([path, answer.body.error_code]).toStrictEqual([path, 'INVALID_INPUT']);
  }
  expect(await log.lastPosition()).toBe(end);
});

test('a value at the limit of what can be stored is projected and read back unchanged', async () => {
  const fact = admin((value) => `{"value":${value}}`);
  const insert = agent(`${JOB}/wm`, (value) => `{"type":"temp","value":${value}}`);
  const episode = agent(
    `${JOB}/episodes`,
    (value) => `{"summary":"just","payload":{"x":${value}}}`,
  );
  for (const text of STORABLE) {
    await take(fact, text);
    await take(insert, text);
    await take(episode, text);
    const { body } = await service.call<JsonObject>('GET', fact.path, { token: tokens.admin });
    const expected: unknown = JSON.parse(text);
    // Canonical JSON writes negative zero as 0.
    expect(body['value']).toStrictEqual(Object.is(expected, -0) ? 0 : expected);
  }
  await until('the episodes are found', async () => {
    const body = { query_terms: 'just' };
    const found = await service.call<JsonObject>('POST', '/v1/episodes/query', {
      token: tokens.agent,
      body,
    });
    return (found.body['results'] as unknown[]).length === STORABLE.length;
  });
  await assertRowsAreTheFold(log, rows, service.postgres.url);
});
