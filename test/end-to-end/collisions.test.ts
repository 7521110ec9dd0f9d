import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

interface Collision {
  readonly collision_id: string;
  readonly key: string;
  readonly owner_title: string;
  readonly title: string;
  readonly given_key: string;
  readonly closure: { readonly reason: string; readonly closed_by: object } | null;
}

let service: TestService;
let log: LogReader;
let admin: Caller;
let member: Caller;
let auditor: Caller;
let agent: Caller;

beforeAll(async () => {
  service = await TestService.shared();
  log = new LogReader(service.eventStore.url);
  admin = await Caller.of(service, 'admin');
  member = await Caller.of(service, 'council', { sub: 'ann' });
  auditor = await Caller.of(service, 'auditor');
  agent = await Caller.of(service, 'agent');
});
afterAll(async () => {
  await log?.close();
  await service?.stop();
});

/** Claims the same key for two titles; returns both keys. */
async function collide(name: string): Promise<readonly [string, string]> {
  const claim = (entity_id: string) =>
    admin.post<{ key: string }>('sem-keys', {
      ...{ scope: 'world', entity_type: 'language', entity_id, attribute: 'summary' },
    });
  const [first, second] = [await claim(`${named(name)} +`), await claim(`${named(name)} #`)];
  return [first.key, second.key];
}

/** Returns all collisions of a key, from every page. */
async function listed(key: string, by = member, status = ''): Promise<Collision[]> {
  const found: Collision[] = [];
  for (let cursor = ''; ;) {
    const page = await by.get<{ collisions: Collision[]; next_cursor: string | null }>(
      `collisions?limit=2${status}${cursor}`,
    );
    found.push(...page.collisions.filter((collision) => collision.key === key));
    if (page.next_cursor === null) return found;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

it('K4 the council sees a collision with both titles and closes it once, with a reason', async () => {
  const [key, given_key] = await collide('closed');
  const [open, ...others] = await listed(key);
  expect(others).toStrictEqual([]);
  expect(open).toMatchObject({ key, given_key, closure: null });
  expect(open?.owner_title).toBe(`${named('closed')} +`);
  expect(open?.title).toBe(`${named('closed')} #`);
  const path = `collisions/${open?.collision_id}/closure`;
  const asked = { body: { reason: 'Two languages.' }, key: named('close') };
  const { body: closed } = await member.did<Collision>('POST', path, asked);
  expect(closed).toMatchObject({
    ...{ key, given_key },
    closure: { reason: 'Two languages.', closed_by: { sub: 'ann', user_id: null } },
  });
  expect((await member.did('POST', path, asked)).body).toStrictEqual(closed);
  await admin.refused('VERSION_CONFLICT', 'POST', path, { body: { reason: 'Again.' } });
  expect(await listed(key)).toStrictEqual([]);
  expect(await listed(key, auditor, '&status=closed')).toStrictEqual([closed]);
  expect(await log.types(`sem-${key}`)).toStrictEqual([
    'key_claimed',
    'collision_event',
    'collision_closed',
  ]);
});

it('§13 collisions are for the council and admins; a reason with personal data is refused', async () => {
  const [key] = await collide('guarded');
  const [open] = await listed(key);
  const path = `collisions/${open?.collision_id}/closure`;
  await agent.refused('PERMISSION_DENIED', 'GET', 'collisions');
  for (const by of [agent, auditor])
    await by.refused('PERMISSION_DENIED', 'POST', path, { body: { reason: 'Mine.' } });
  await member.refused('PRIVACY_BLOCKED', 'POST', path, {
    body: { reason: 'Ask someone@example.com.' },
  });
  await member.refused('INVALID_INPUT', 'POST', path, { body: { reason: '' } });
  await member.refused('NOT_FOUND', 'POST', 'collisions/no-such/closure', {
    body: { reason: 'Gone.' },
  });
  expect(await listed(key)).toHaveLength(1);
});
