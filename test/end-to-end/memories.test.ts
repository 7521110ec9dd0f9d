import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { MaceClient } from '#client/mace-client.js';
import { Caller } from '#test/support/caller.js';
import { DataSubject, EMAIL, erased } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { until } from '../faults/support/until.js';

interface Kept {
  readonly kept: readonly {
    readonly id: string;
    readonly version: number;
    readonly text: string;
    readonly existed: boolean;
  }[];
  readonly not_kept: readonly { readonly text: string; readonly reason: string }[];
}
interface Recall {
  readonly recalled: readonly {
    readonly kind: string;
    readonly id: string;
    readonly text: string;
    readonly score: number | null;
  }[];
  readonly text: string;
  readonly as_of: string;
}
interface Page {
  readonly memories: readonly {
    readonly id: string;
    readonly text: string;
    readonly tags: readonly string[];
    readonly version: number;
  }[];
  readonly next_cursor: string | null;
}

const textsOf = (recall: Recall): string[] => recall.recalled.map(({ text }) => text);

describe('Memories of a person (W1, W2)', () => {
  let service: TestService;
  let agent: Caller;
  let made = 0;

  beforeAll(async () => {
    service = await TestService.shared();
    agent = await Caller.of(service, 'agent', { sub: named('assistant') });
  });
  afterAll(() => service?.stop());

  /** Changes the rows of the read model by hand. */
  async function inRows(sql: string): Promise<void> {
    const rows = new pg.Client({ connectionString: service.postgres.url });
    await rows.connect();
    await rows.query(sql);
    await rows.end();
  }

  const aPerson = (): string => {
    made += 1;
    return named(`person-${made}`).toLowerCase();
  };
  const remember = (user_id: string, text: string, more: object = {}): Promise<Kept> =>
    agent.post<Kept>('remember', { text, user_id, ...more });
  const recall = (user_id: string, query?: string, more: object = {}): Promise<Recall> =>
    agent.post<Recall>('recall', { query, user_id, ...more });

  it('what a person says of themselves is recalled in another session, and what is a question is not kept', async () => {
    const user_id = aPerson();
    const said = 'I am allergic to peanuts. What should I cook tonight?';
    const { kept, not_kept } = await agent.post<Kept>('remember', { said, user_id });
    expect(kept).toMatchObject([{ version: 1, text: 'I am allergic to peanuts.', existed: false }]);
    expect(not_kept).toStrictEqual([{ text: 'What should I cook tonight?', reason: 'question' }]);
    const found = await recall(user_id, 'Which nuts am I allergic to?');
    expect(found.recalled).toMatchObject([{ kind: 'memory', text: 'I am allergic to peanuts.' }]);
    expect(found.recalled[0]?.score).toBeGreaterThan(0);
    expect(found.text).toMatch(/^\d{4}-\d\d-\d\d: I am allergic to peanuts\.$/);
  });

  it('a few memories come whole, whatever the words of the query', async () => {
    const user_id = aPerson();
    await remember(user_id, 'Two cats, Miso and Pepper');
    await remember(user_id, 'Lives in Oslo');
    expect(textsOf(await recall(user_id, 'unrelated words')).sort()).toStrictEqual([
      'Lives in Oslo',
      'Two cats, Miso and Pepper',
    ]);
    expect(textsOf(await recall(user_id))).toHaveLength(2);
  });

  it('the same text is the same memory, in any Unicode form and with any white space', async () => {
    const user_id = aPerson();
    const first = await remember(user_id, 'Café  au lait');
    const again = await remember(user_id, ' Cafe\u0301 au\nlait');
    expect(again.kept).toMatchObject([{ id: first.kept[0]?.id, version: 1, existed: true }]);
    expect((await agent.get<Page>(`memories?user_id=${user_id}`)).memories).toHaveLength(1);
  });

  it('a retry with the same Idempotency-Key gets the first answer', async () => {
    const user_id = aPerson();
    const key = named('remembered-once');
    const body = { text: 'Plays the cello', user_id };
    const first = await agent.did<Kept>('POST', 'remember', { body, key });
    const again = await agent.did<Kept>('POST', 'remember', { body, key });
    expect(again.body).toStrictEqual(first.body);
  });

  it('a retry of a request that found its text remembered does not bring it back when it was forgotten since', async () => {
    const user_id = aPerson();
    const { kept } = await remember(user_id, 'Plays the lute', { tags: ['music'] });
    const key = named('found-it');
    const body = { text: 'Plays the lute', user_id, tags: ['music'] };
    const first = await agent.did<Kept>('POST', 'remember', { body, key });
    expect(first.body.kept).toMatchObject([{ id: kept[0]!.id, existed: true }]);
    await agent.did('DELETE', `memories/${kept[0]!.id}?user_id=${user_id}`);
    const again = await agent.did<Kept>('POST', 'remember', { body, key });
    expect(again.body).toStrictEqual(first.body);
    expect((await agent.get<Page>(`memories?user_id=${user_id}`)).memories).toStrictEqual([]);
    const anew = await agent.did<Kept>('POST', 'remember', { body, key: named('another') });
    expect(anew.body.kept).toMatchObject([{ existed: false }]);
  });

  it('a text that is remembered again keeps the 16 tags that were given last', async () => {
    const user_id = aPerson();
    const tags = Array.from({ length: 16 }, (_, index) => `day-${index}`);
    await remember(user_id, 'Swims', { tags });
    const again = await remember(user_id, 'Swims', { tags: ['day-0', 'day-16'] });
    expect(again.kept).toMatchObject([{ version: 2, existed: true }]);
    const { memories } = await agent.get<Page>(`memories?user_id=${user_id}`);
    expect(memories[0]?.tags).toStrictEqual([...tags.slice(2), 'day-0', 'day-16']);
  });

  it('a damaged memory is marked in the list and left out of the recall, and hides no other one', async () => {
    const user_id = aPerson();
    const { kept } = await remember(user_id, 'Owns a kayak');
    await remember(user_id, 'Owns a canoe');
    const id = kept[0]!.id;
    await recall(user_id);
    await inRows(
      `update memories.memory set sealed = replace(sealed, '"jwe":"', '"jwe":"x') where memory_id = '${id}'`,
    );
    const { memories } = await agent.get<Page>(`memories?user_id=${user_id}`);
    expect(memories).toMatchObject([
      { text: 'Owns a canoe' },
      { id, text: '[DAMAGED]', tags: [], damaged: true },
    ]);
    expect(memories[0]).not.toHaveProperty('damaged');
    expect(textsOf(await recall(user_id))).toStrictEqual(['Owns a canoe']);
    await agent.refused('INTEGRITY_FAILURE', 'GET', `memories/${id}?user_id=${user_id}`);
    await agent.did('DELETE', `memories/${id}?user_id=${user_id}`);
  });

  it('a memory is reworded under its id, and refused for another version', async () => {
    const user_id = aPerson();
    const { kept } = await remember(user_id, 'Lives in Oslo');
    const id = kept[0]!.id;
    const path = `memories/${id}?user_id=${user_id}`;
    const body = { text: 'Lives in Bergen', user_id };
    expect((await agent.did('PUT', `memories/${id}`, { body })).body).toMatchObject({
      id,
      version: 2,
    });
    await agent.refused('VERSION_CONFLICT', 'PUT', `memories/${id}`, {
      body: { ...body, text: 'x', if_version: 1 },
    });
    expect(await agent.get(path)).toMatchObject({ text: 'Lives in Bergen', version: 2 });
    expect(await agent.get(`${path}&version=1`)).toMatchObject({ text: 'Lives in Oslo' });
    expect(textsOf(await recall(user_id, 'Where do I live? Bergen? Oslo?'))).toStrictEqual([
      'Lives in Bergen',
    ]);
  });

  it('a forgotten memory is shown by no list and no recall, but at an earlier position', async () => {
    const user_id = aPerson();
    const { kept } = await remember(user_id, 'Drives a Subaru');
    const before = await recall(user_id, 'Subaru');
    await agent.did('DELETE', `memories/${kept[0]!.id}?user_id=${user_id}`);
    expect(textsOf(await recall(user_id, 'Subaru'))).toStrictEqual([]);
    expect((await agent.get<Page>(`memories?user_id=${user_id}`)).memories).toStrictEqual([]);
    await agent.refused('NOT_FOUND', 'DELETE', `memories/${kept[0]!.id}?user_id=${user_id}`);
    const then = await recall(user_id, 'Subaru', { as_of: before.as_of });
    expect(then).toStrictEqual(before);
  });

  it('a memory with an address is sealed, not in the index, and still recalled for its person', async () => {
    const user_id = aPerson();
    await remember(user_id, `Write to ${EMAIL} about the boat`);
    await remember(user_id, 'Has a boat');
    const found = await recall(user_id, 'boat');
    expect(found.recalled).toMatchObject([
      { text: 'Has a boat' },
      { text: `Write to ${EMAIL} about the boat`, score: null },
    ]);
  });

  it('tags choose memories', async () => {
    const user_id = aPerson();
    await remember(user_id, 'Vegetarian on weekdays', { tags: ['food'] });
    await remember(user_id, 'Likes weekdays', { tags: ['time'] });
    expect(textsOf(await recall(user_id, 'weekdays', { tags: ['food'] }))).toStrictEqual([
      'Vegetarian on weekdays',
    ]);
    const page = await agent.get<Page>(`memories?user_id=${user_id}&tag=food`);
    expect(page.memories).toMatchObject([{ tags: ['food'] }]);
  });

  it('a rewording keeps the tags that it does not name', async () => {
    const user_id = aPerson();
    const { kept } = await remember(user_id, 'Vegetarian', { tags: ['food'] });
    const path = `memories/${kept[0]!.id}`;
    await agent.did('PUT', path, { body: { text: 'Vegan', user_id } });
    expect(await agent.get(`${path}?user_id=${user_id}`)).toMatchObject({ tags: ['food'] });
    await agent.did('PUT', path, { body: { text: 'Vegan', tags: [], user_id } });
    expect(await agent.get(`${path}?user_id=${user_id}`)).toMatchObject({ tags: [], version: 3 });
  });

  it('the same text again adds its tags, and one long memory leaves room for others', async () => {
    const user_id = aPerson();
    await remember(user_id, 'Blood group AB', { tags: ['health'], expires_in: 60 });
    const again = await remember(user_id, 'Blood group AB', { tags: ['blood'] });
    expect(again.kept).toMatchObject([{ version: 2, existed: true }]);
    const { memories } = await agent.get<Page>(`memories?user_id=${user_id}`);
    expect(memories).toMatchObject([{ tags: ['health', 'blood'], expires_at: null }]);
    await remember(user_id, `Always ${'say it '.repeat(550)}`);
    expect(textsOf(await recall(user_id, 'blood group'))).toContain('Blood group AB');
  });

  it('a recall at a position depends on the position alone, also after a memory has lapsed', async () => {
    const user_id = aPerson();
    await remember(user_id, 'In Rome for a second', { expires_in: 1 });
    const { as_of } = await recall(user_id, 'Rome');
    const then = await recall(user_id, 'Rome', { as_of });
    expect(textsOf(then)).toStrictEqual(['In Rome for a second']);
    await until('the lapse is recorded', async () => {
      const now = await agent.did<Recall>('POST', 'recall', { body: { user_id } });
      return BigInt(now.body.as_of) > BigInt(as_of) && textsOf(now.body).length === 0;
    });
    await until(
      'the lapse is in the log',
      async () =>
        (await agent.post<{ events_checked: number }>('memories/replays', { user_id }))
          .events_checked === 2,
    );
    expect(await recall(user_id, 'Rome', { as_of })).toStrictEqual(then);
  });

  it('a memory lapses when its time to live has passed', async () => {
    const user_id = aPerson();
    await remember(user_id, 'In Rome until tomorrow', { expires_in: 1 });
    await until(
      'the memory has lapsed',
      async () => textsOf(await recall(user_id, 'Rome')).length === 0,
    );
  });

  it('a person sees only their own memories, and a reader of everyone’s sees them redacted', async () => {
    const user_id = aPerson();
    const { kept } = await remember(user_id, 'Afraid of flying');
    const other = await Caller.of(service, 'agent', { user_id: aPerson() });
    await other.refused('PERMISSION_DENIED', 'POST', 'recall', { body: { user_id } });
    await other.refused('PERMISSION_DENIED', 'GET', `memories?user_id=${user_id}`);
    const auditor = await Caller.of(service, 'auditor');
    const page = await auditor.get<Page>(`memories?user_id=${user_id}`);
    expect(page.memories).toMatchObject([{ id: kept[0]!.id, text: '[REDACTED:memory]', tags: [] }]);
    const own = await Caller.of(service, 'user', { sub: user_id });
    expect((await own.get<Page>('memories')).memories).toMatchObject([
      { text: 'Afraid of flying' },
    ]);
  });

  it('a list has pages, newest first', async () => {
    const user_id = aPerson();
    for (const text of ['one', 'two', 'three']) await remember(user_id, text);
    const first = await agent.get<Page>(`memories?user_id=${user_id}&limit=2`);
    expect(first.memories.map(({ text }) => text)).toStrictEqual(['three', 'two']);
    const rest = await agent.get<Page>(
      `memories?user_id=${user_id}&limit=2&cursor=${first.next_cursor}`,
    );
    expect(rest.memories.map(({ text }) => text)).toStrictEqual(['one']);
    expect(rest.next_cursor).toBeNull();
  });

  it('an erasure leaves nothing to recall, and the person can be remembered anew', async () => {
    const person = await DataSubject.of(service, 'forgotten');
    const { user_id } = person;
    await person.agent.post('remember', { text: 'Collects stamps' });
    expect(textsOf(await person.agent.post<Recall>('recall', { query: 'stamps' }))).toContain(
      'Collects stamps',
    );
    await erased(service, person);
    expect(textsOf(await person.agent.post<Recall>('recall', { query: 'stamps' }))).not.toContain(
      'Collects stamps',
    );
    expect((await person.agent.get<Page>('memories')).memories).toStrictEqual([]);
    const anew = await person.agent.post<Kept>('remember', { text: 'Collects stamps' });
    expect(anew.kept).toMatchObject([{ existed: false }]);
    expect(user_id).toBe(person.user_id);
  });

  it('the stream of a person’s memories is replayed identically', async () => {
    const user_id = aPerson();
    const { kept } = await remember(user_id, 'Lives in Oslo');
    await agent.did('PUT', `memories/${kept[0]!.id}`, { body: { text: 'Lives in Rome', user_id } });
    const report = await agent.post('memories/replays', { user_id });
    expect(report).toMatchObject({ identical: true, events_checked: 2 });
  });

  it('the SDK remembers, recalls and forgets', async () => {
    const user_id = aPerson();
    const token = await service.token('agent', { user_id });
    const mace = new MaceClient({ baseUrl: service.url, token });
    const { kept } = await mace.remember('Prefers tea');
    expect((await mace.recall('tea')).text).toContain('Prefers tea');
    expect(await mace.forget(kept[0]!.id)).toBe(true);
    expect(await mace.forget(kept[0]!.id)).toBe(false);
    await mace.remember('Prefers cake');
    expect(await mace.memories.forgetAll()).toBe(1);
    expect((await mace.recall()).text).toBe('');
  });
});
