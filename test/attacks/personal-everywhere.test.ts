import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { runningServers } from '#embedded/index.js';
import type { Json, JsonObject } from '#domain/json.js';
import { Caller } from '#test/support/caller.js';
import { ROUTE_EXAMPLES, type Owned } from '#test/support/route-examples.js';
import { type ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
/** A request with personal data in one place. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const HEADERS = [
  'idempotency-key',
  'mace-access-reason',
  'traceparent',
  'user-agent',
  'x-request-id',
];

const luhn = (digits: string): number =>
  [...digits].reverse().reduce((sum, digit, place) => {
    const doubled = place % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return sum + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
const mod97 = (digits: string): number =>
  [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);

/** An address, a card and an account that occur nowhere else; `n` says in which place they were sent. */
const valuesOf = (n: number): readonly string[] => {
  const number = String(n).padStart(5, '0');
  const card = `453914880${number}3`;
  const bban = `3704004453${number}000`;
  return [
    `walk${number}@quillon.example.org`,
    `${card}${(10 - (luhn(card) % 10)) % 10}`,
    `DE${String(98 - mod97(`${bban}131400`)).padStart(2, '0')}${bban}`,
  ];
};

/** Returns copies of a body, each with the value in another string, or under it as a further key of an object. */
function* placesIn(
  body: Json,
  schema: Schema | undefined,
  value: string,
  of: OpenApi,
): Generator<readonly [string, Json]> {
  const known =
    schema?.$ref === undefined ? schema : of.components.schemas[schema.$ref.split('/').at(-1)!];
  if (typeof body === 'string') yield ['', value];
  else if (Array.isArray(body)) {
    const [first, ...rest] = body as readonly Json[];
    if (first !== undefined)
      for (const [place, changed] of placesIn(first, known?.items, value, of))
        yield [`[0]${place}`, [changed, ...rest]];
  } else if (typeof body === 'object' && body !== null) {
    const object = body as JsonObject;
    for (const [key, item] of Object.entries(object))
      for (const [place, changed] of placesIn(item, known?.properties?.[key], value, of))
        yield [`.${key}${place}`, { ...object, [key]: changed }];
    if (known?.properties === undefined) yield ['{key}', { ...object, [value]: 1 }];
    for (const [key, { type, items }] of Object.entries(known?.properties ?? {})) {
      if (Object.hasOwn(object, key)) continue;
      if (type === 'string') yield [`.${key}`, { ...object, [key]: value }];
      else if (type === 'array' && items?.type === 'string')
        yield [`.${key}[]`, { ...object, [key]: [value] }];
      else if (type === 'object' || type === undefined)
        yield [`.${key}{}`, { ...object, [key]: { [value]: value } }];
    }
  }
}

describe('Personal data in every place of every request (SPEC P3, P6, I4)', () => {
  const folder = temporaryFolder('personal-everywhere');
  let program: ServiceProcess;
  let client: ServiceClient;
  /** The place of each value. */
  const places = new Map<string, string>();
  let owned: Owned;
  let acceptedCount = 0;

  async function ownedThings(agent: Caller): Promise<Owned> {
    const [seed, session, user, marker] = ['walked', 'walked-session', 'walker', 'walked_marker'];
    const { snapshots } = await agent.post<{ snapshots: Record<string, string> }>('jobs', {
      ...{ job_seed: seed, session_id: session },
    });
    const { wm_id } = await agent.post<{ wm_id: string }>(`jobs/${seed}/wm`, {
      type: 'fact',
      value: 'tea',
    });
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${seed}/episodes`, {
      summary: 'An episode',
    });
    const fact = `user/profile/user_${user}/${marker}`;
    await agent.did('PUT', `sem/${fact}`, { body: { value: marker } });
    const { request_id, proposal_hash } = await agent.post<Record<string, string>>(
      'action-requests',
      {
        ...{ episodic_id, target_sem_key: fact, value: 'a value', justification: 'It was said.' },
      },
    );
    const { log_id } = await agent.post<{ log_id: string }>('queries', {
      query_text: 'What is 2 + 2?',
    });
    const person = await Caller.of(client, 'user', { sub: user });
    const consent = await person.post<{ consent_id: string }>('consents', {
      text: 'Yes.',
      scope: 'persistent',
    });
    await person.post(`consents/${consent.consent_id}/revocation`);
    await agent.did('PUT', 'notes', { body: { namespace: [marker], key: marker, value: 1 } });
    const { kept } = await agent.post<{ kept: { id: string }[] }>('remember', { text: marker });
    return {
      memory: kept[0]?.id ?? '',
      ...{ seed, session, user, marker, wm: wm_id, episode: episodic_id, log: log_id },
      ...{ request: request_id!, proposal: proposal_hash!, consent: consent.consent_id },
      snapshot: snapshots['sem_snapshot_id'] ?? '',
    };
  }

  function* requestsFor(of: OpenApi, owned: Owned): Generator<Sent> {
    let n = 0;
    for (const [name, example] of Object.entries(ROUTE_EXAMPLES)) {
      const [method = '', route = ''] = name.split(' ');
      const operation = of.paths[route]?.[method.toLowerCase()];
      const { path, body } = example(owned);
      const schema = operation?.requestBody?.content['application/json']?.schema;
      const sent = (place: string, request: Omit<Sent, 'method'>, value: string): Sent => {
        places.set(value, `${name} ${place}`);
        return { method, ...request };
      };
      const [plain = '', query = ''] = path.split('?');
      const steps = plain.split('/');
      for (const kind of [0, 1, 2]) {
        const next = (): string => valuesOf(n++)[kind]!;
        for (const [place] of steps.entries()) {
          const value = next();
          const other = steps.with(place, encodeURIComponent(value)).join('/');
          yield sent(
            `path ${place}`,
            { path: query === '' ? other : `${other}?${query}`, body },
            value,
          );
        }
        for (const { name: parameter, in: at } of operation?.parameters ?? []) {
          if (at !== 'query') continue;
          const value = next();
          const asked = new URLSearchParams(query);
          asked.set(parameter, value);
          yield sent(`?${parameter}`, { path: `${plain}?${asked.toString()}`, body }, value);
        }
        for (const header of HEADERS) {
          const value = next();
          yield sent(header, { path, body, headers: { [header]: value } }, value);
        }
        if (body === undefined) continue;
        const count = [...placesIn(body as Json, schema, '', of)].length;
        for (let index = 0; index < count; index += 1) {
          const value = next();
          const [place, changed] = [...placesIn(body as Json, schema, value, of)][index]!;
          yield sent(place, { path, body: changed }, value);
        }
      }
    }
  }

  async function dumped(): Promise<string> {
    const { postgresUrl } = await runningServers(folder.path);
    const postgres = new pg.Client({ connectionString: postgresUrl });
    await postgres.connect();
    try {
      const { rows: tables } = await postgres.query<{ name: string }>(
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
          where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      );
      let dump = '';
      for (const { name } of tables) {
        const { rows } = await postgres.query<{ row: string }>(
          `select one::text as row from ${name} as one`,
        );
        dump += rows.map(({ row }) => row).join('\n');
      }
      return dump;
    } finally {
      await postgres.end();
    }
  }

  /** Returns the places whose value occurs in a text. */
  const foundIn = (text: string): string[] =>
    [...places].filter(([value]) => text.includes(value)).map(([, place]) => place);

  beforeAll(async () => {
    program = ServiceProcess.spawn(folder.path, { MACE_LOG_LEVEL: 'trace' });
    client = await program.ready();
    const agent = await Caller.of(client, 'agent', { sub: 'walking-agent', user_id: 'walker' });
    owned = await ownedThings(agent);
    const of = (await client.call<OpenApi>('GET', '/openapi.json')).body;
    const tokens = [
      agent.token,
      ...(await Promise.all(
        (['council', 'admin', 'auditor'] as const).map((role) =>
          client.token(role, { sub: `w-${role}` }),
        ),
      )),
      await client.token('user', { sub: 'walker' }),
    ];
    const all = [...requestsFor(of, owned)];
    const send = async ({ method, path, body, headers }: Sent): Promise<void> => {
      for (const token of tokens) {
        const { status } = await client.call(method, `/v1/${path}`, {
          ...{ token, headers: headers ?? {} },
          ...(body === undefined ? {} : { body }),
        });
        if (status < 300) acceptedCount += 1;
        if (status !== 403) return;
      }
    };
    for (let at = 0; at < all.length; at += 20) await Promise.all(all.slice(at, at + 20).map(send));
  });
  afterAll(async () => {
    await program?.stop();
    folder.remove();
  });

  it('is in no answer to others', async () => {
    // Otherwise, the walk has shown nothing.
    expect(acceptedCount).toBeGreaterThan(300);
    const paths = Object.entries(ROUTE_EXAMPLES)
      .filter(([name]) => name.startsWith('GET /v1/'))
      .map(([, example]) => example(owned).path);
    const found = new Set<string>();
    for (const role of ['agent', 'user', 'council', 'admin', 'auditor'] as const) {
      const token = await client.token(role, { sub: `another-${role}` });
      // An agent without a user acts for each person that it names.
      const others =
        role === 'agent' ? paths.filter((path) => !path.startsWith('memories')) : paths;
      for (const path of others) {
        const { body } = await client.call<unknown>('GET', `/v1/${path}`, { token });
        for (const place of foundIn(JSON.stringify(body))) found.add(`${place} in ${path}`);
      }
    }
    expect([...found]).toStrictEqual([]);
  });

  it('is in no row of Postgres', async () => {
    expect(foundIn(await dumped())).toStrictEqual([]);
  });

  it('is in no log line, and in no file', async () => {
    await program.stop();
    expect(foundIn(program.stdout + program.stderr)).toStrictEqual([]);
    const inFiles = new Set<string>();
    for (const entry of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), 'latin1');
      for (const place of foundIn(text)) inFiles.add(`${place} in ${entry.name}`);
    }
    expect([...inFiles]).toStrictEqual([]);
  });
});
