import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '#domain/json.js';
import { MAX_DEPTH } from '#domain/determinism/canonical-json.js';
import { ROLES } from '#platform/auth/roles.js';
import { Caller } from '#test/support/caller.js';
import type { OpenApi } from '#test/support/described-answers.js';
import { named } from '#test/support/named.js';
import { aLog } from '#test/support/reflective-logs.js';
import { fieldsOfKind, requestFields, withValueAt } from '#test/support/request-fields.js';
import { type Owned, ROUTE_EXAMPLES } from '#test/support/route-examples.js';
import { TestService } from '#test/support/service.js';

/** An object of this depth, which holds what the privacy gate would find. */
const nested = (depth: number): JsonObject => {
  let value: Json = 'alice@example.com';
  for (let level = 1; level < depth; level += 1) value = [value];
  return { '/note': value };
};

/** Operations of a batch that have a field with any value. */
const OPERATIONS: Readonly<Record<string, JsonObject>> = {
  value: { op: 'wm_insert', type: 'fact', value: 1 },
  payload: { op: 'episodic_write', summary: 'An episode' },
  evidence: { op: 'episodic_write', summary: 'An episode', evidence: [] },
  reflective_log: { op: 'end' },
};

describe('Values that are nested too deep', () => {
  let service: TestService;
  let caller: Caller;
  let openApi: OpenApi;
  let owned: Owned;
  beforeAll(async () => {
    service = await TestService.shared();
    const user = named('deep');
    caller = await Caller.of(service, ROLES, { sub: user, user_id: user });
    openApi = (await service.call<OpenApi>('GET', '/openapi.json')).body;
    const seed = named('deep_job');
    await caller.did('POST', 'jobs', { body: { job_seed: seed } });
    const { episodic_id } = await caller.post<{ episodic_id: string }>(`jobs/${seed}/episodes`, {
      summary: 'An episode',
    });
    const log = aLog();
    await caller.did('POST', 'reflective-logs', { body: log });
    const { request_id, proposal_hash } = await caller.post<Record<string, string>>(
      'action-requests',
      {
        episodic_id,
        target_sem_key: `world/fact/${named('deep')}/definition`,
        value: 'a value',
        justification: 'It was said.',
      },
    );
    owned = {
      ...{ seed, session: named('deep_session'), user, wm: 'wm:none', episode: episodic_id },
      ...{ request: request_id ?? '', proposal: proposal_hash ?? '', log: log.log_id },
      ...{ consent: '', snapshot: '', memory: '', marker: named('deep_marker') },
    };
  });
  afterAll(() => service?.stop());

  it('a value that is nested too deep is refused for its shape on every route, and the answer names the limit', async () => {
    const kinds = new Map(
      requestFields(openApi).map(({ operation, place, kind }) => [`${operation} ${place}`, kind]),
    );
    const fields = fieldsOfKind(openApi, 'Json', 'JsonObject').filter(
      // A constant is a number, so a value of any depth is refused by its type.
      (field) => !field.endsWith(' constants'),
    );
    expect(fields.length).toBeGreaterThanOrEqual(30);
    const wrong: unknown[] = [];
    for (const field of fields) {
      const [method = '', pattern = '', place = ''] = field.split(' ');
      const { path, body = {} } = ROUTE_EXAMPLES[`${method} ${pattern}`]!(owned);
      for (const depth of [MAX_DEPTH + 3, MAX_DEPTH + 20]) {
        const value = kinds.get(field) === 'Json' ? [nested(depth - 1)] : nested(depth);
        const answer = await caller.ask(method, path, {
          body: withValueAt(bodyFor(place, body as JsonObject), place, value),
        });
        const { error_code, developer_message } = answer.body;
        const code =
          pattern === '/v1/reflective-logs' || place.includes('reflective_log.')
            ? 'LOG_INVALID'
            : 'INVALID_INPUT';
        if (error_code !== code || !developer_message.includes(`nested deeper than ${MAX_DEPTH}`))
          wrong.push([field, depth, error_code, developer_message]);
      }
    }
    expect(wrong).toStrictEqual([]);
  });

  /** Returns a body that has the objects and lists around a place. */
  function bodyFor(place: string, body: JsonObject): JsonObject {
    const list = /^(\w+)\[\]$/.exec(place)?.[1];
    if (list === 'expected_suffix')
      return { operation_id: 'example', items: [], expected_suffix: [] };
    if (list !== undefined) return { ...body, [list]: [] };
    if (place === 'channel_values') return { ...body, channel_versions: { '/note': 1 } };
    const operation = /^commands\[\]\.(\w+)/.exec(place)?.[1];
    const log = { ...aLog() } as unknown as Record<string, Json>;
    const own = ['log_id', 'created_at', 'sem_snapshot_hash', 'job_seed', 'stream_head_hash'];
    for (const name of [
      ...own,
      'episodic_snapshot_id',
      'brainstate_snapshot_id',
      'evidence',
      'redactions',
      'signature',
    ])
      delete log[name];
    if (operation === 'reflective_log') return { commands: [{ op: 'end', reflective_log: log }] };
    if (operation !== undefined) return { commands: [OPERATIONS[operation] as JsonObject] };
    return place.startsWith('reflective_log.') ? { ...body, reflective_log: log } : body;
  }
});
