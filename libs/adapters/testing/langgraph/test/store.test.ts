import { InvalidNamespaceError } from '@langchain/langgraph-checkpoint';
import { beforeAll, describe, expect, it } from 'vitest';
import { MaceStore } from '../src/index.js';
import { newClient } from './support.js';

const keysOf = (items: readonly { readonly key: string }[]) => items.map(({ key }) => key).sort();

describe('An item', () => {
  const store = new MaceStore(newClient());

  it('is read back as it was put, with its times', async () => {
    const before = Date.now();
    const value = { title: 'Plan', steps: ['a', { b: null }], done: false, share: 0.25 };
    await store.put(['docs', 'mira'], 'plan', value);
    const item = await store.get(['docs', 'mira'], 'plan');
    expect(item).toMatchObject({ namespace: ['docs', 'mira'], key: 'plan', value });
    expect(item?.createdAt).toBeInstanceOf(Date);
    expect(item?.createdAt.getTime()).toBeGreaterThanOrEqual(before - 1_000);
    expect(item?.updatedAt).toStrictEqual(item?.createdAt);
  });

  it('is replaced as a whole by the next put, and keeps the time of its creation', async () => {
    await store.put(['docs'], 'twice', { a: 1, b: 2 });
    const first = await store.get(['docs'], 'twice');
    await store.put(['docs'], 'twice', { a: 3 });
    const second = await store.get(['docs'], 'twice');
    expect(second?.value).toStrictEqual({ a: 3 });
    expect(second?.createdAt).toStrictEqual(first?.createdAt);
    expect(second!.updatedAt.getTime()).toBeGreaterThanOrEqual(first!.updatedAt.getTime());
  });

  it('is null if it does not exist, or under another namespace or key', async () => {
    await store.put(['docs', 'one'], 'here', { a: 1 });
    expect(await store.get(['docs', 'one'], 'there')).toBeNull();
    expect(await store.get(['docs'], 'here')).toBeNull();
    expect(await store.get(['docs', 'one', 'deeper'], 'here')).toBeNull();
    expect(await store.get([], 'here')).toBeNull();
  });

  it('is null after it was deleted, and can be put again', async () => {
    await store.put(['docs'], 'gone', { a: 1 });
    await store.delete(['docs'], 'gone');
    expect(await store.get(['docs'], 'gone')).toBeNull();
    await store.delete(['docs'], 'gone');
    await store.put(['docs'], 'gone', { a: 2 });
    expect((await store.get(['docs'], 'gone'))?.value).toStrictEqual({ a: 2 });
  });

  it('may have any text as its key, and any text without . and : as a label', async () => {
    const namespace = ['Grüße & co', 'a/b', '*', "'; drop table notes; --"];
    const key = 'a/b?c=d#e f.g:h';
    await store.put(namespace, key, { a: 1 });
    expect((await store.get(namespace, key))?.value).toStrictEqual({ a: 1 });
  });

  it('with personal data is stored sealed and read back whole', async () => {
    const value = { type: 'profile', email: 'ines.varga@fastmail.test' };
    await store.put(['people'], 'ines', value);
    expect((await store.get(['people'], 'ines'))?.value).toStrictEqual(value);
    const found = await store.search(['people'], { filter: { type: 'profile' } });
    expect(found.map((item) => item.value)).toStrictEqual([value]);
  });

  it('belongs to its owner alone', async () => {
    await store.put(['private'], 'mine', { a: 1 });
    const other = new MaceStore(newClient());
    expect(await other.get(['private'], 'mine')).toBeNull();
    expect(await other.search([])).toStrictEqual([]);
    expect(await other.listNamespaces()).toStrictEqual([]);
  });
});

describe('A namespace', () => {
  const store = new MaceStore(newClient());

  it.each([
    ['is empty', []],
    ['has an empty label', ['docs', '']],
    ['has a label with a period', ['docs.mira']],
    ['has a label with a colon', ['docs:mira']],
    ['begins with langgraph', ['langgraph', 'docs']],
  ])('of a put is refused if it %s', async (_, namespace) => {
    await expect(store.put(namespace, 'key', { a: 1 })).rejects.toThrow(InvalidNamespaceError);
  });

  it.each([
    ['has an empty label', ['']],
    ['has a label with a period', ['a.b']],
  ])('of a search is refused if it %s', async (_, namespace) => {
    await expect(store.search(namespace)).rejects.toThrow(InvalidNamespaceError);
  });
});

describe('A search without a query', () => {
  const store = new MaceStore(newClient());

  beforeAll(async () => {
    await store.batch([
      {
        namespace: ['docs'],
        key: 'a',
        value: { kind: 'report', score: 1, author: { name: 'Mira' } },
      },
      { namespace: ['docs'], key: 'b', value: { kind: 'report', score: 5, draft: true } },
      { namespace: ['docs', 'old'], key: 'c', value: { kind: 'letter', score: 3 } },
      { namespace: ['docs', 'old', 'older'], key: 'd', value: { kind: 'letter', score: '9' } },
      { namespace: ['documents'], key: 'e', value: { kind: 'report', score: 2 } },
      { namespace: ['other'], key: 'f', value: { kind: 'note' } },
    ]);
  });

  const found = async (...[prefix, options]: Parameters<typeof store.search>) =>
    keysOf(await store.search(prefix, options));

  it('has the items under the prefix, at any depth', async () => {
    expect(await found(['docs'])).toStrictEqual(['a', 'b', 'c', 'd']);
    expect(await found(['docs', 'old'])).toStrictEqual(['c', 'd']);
    expect(await found([])).toStrictEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(await found(['none'])).toStrictEqual([]);
  });

  it.each([
    ['a value', { kind: 'report' }, ['a', 'b']],
    ['several values', { kind: 'report', score: 5 }, ['b']],
    ['a boolean', { draft: true }, ['b']],
    ['$eq', { score: { $eq: 3 } }, ['c']],
    ['$ne', { kind: { $ne: 'report' } }, ['c', 'd']],
    ['$ne of a field that does not exist', { draft: { $ne: true } }, ['a', 'c', 'd']],
    ['$gt', { score: { $gt: 3 } }, ['b', 'd']],
    ['$gte', { score: { $gte: 3 } }, ['b', 'c', 'd']],
    ['$lt', { score: { $lt: 3 } }, ['a']],
    ['$lte', { score: { $lte: 3 } }, ['a', 'c']],
    ['two operators', { score: { $gt: 1, $lt: 5 } }, ['c']],
    ['$in', { score: { $in: [1, 5] } }, ['a', 'b']],
    ['$nin', { score: { $nin: [1, 5] } }, ['c', 'd']],
    ['a value of another type', { score: '5' }, []],
    ['a field that does not exist', { nothing: 1 }, []],
    ['the name of an inherited property', { constructor: 1 }, []],
  ])('can be filtered by %s', async (_, filter, expected) => {
    expect(await found(['docs'], { filter })).toStrictEqual(expected);
  });

  it('has 10 items by default, and pages by limit and offset', async () => {
    const many = new MaceStore(newClient());
    await many.batch(
      Array.from({ length: 25 }, (_, place) => ({
        namespace: ['many', `n${place % 3}`],
        key: `k${place}`,
        value: { even: place % 2 === 0 },
      })),
    );
    expect(await many.search(['many'])).toHaveLength(10);
    const pages = await Promise.all(
      [0, 10, 20, 30].map((offset) => many.search(['many'], { limit: 10, offset })),
    );
    expect(pages.map(({ length }) => length)).toStrictEqual([10, 10, 5, 0]);
    expect(new Set(pages.flat().map(({ key }) => key)).size).toBe(25);
    const even = { filter: { even: true }, limit: 5, offset: 10 };
    expect(await many.search(['many'], even)).toHaveLength(3);
    expect(await many.search(['many'], { limit: 0 })).toStrictEqual([]);
  });

  it('does not find what was deleted', async () => {
    await store.put(['short'], 'lived', { a: 1 });
    await store.delete(['short'], 'lived');
    expect(await found(['short'])).toStrictEqual([]);
  });
});

describe('The namespace acme', () => {
  it('never returns anything of acme-corp, and the reverse', async () => {
    const store = new MaceStore(newClient());
    const names = [
      ['acme'],
      ['acme', 'team'],
      ['acme-corp'],
      ['acme-corp', 'team'],
      ['acm'],
      ['acme corp'],
    ];
    await store.batch(
      names.map((namespace) => ({
        namespace,
        key: namespace.join('/'),
        value: { text: 'the quarterly budget' },
      })),
    );
    const own = ['acme', 'acme/team'];
    expect(keysOf(await store.search(['acme']))).toStrictEqual(own);
    expect(
      keysOf(await store.search(['acme'], { filter: { text: 'the quarterly budget' } })),
    ).toStrictEqual(own);
    expect(keysOf(await store.search(['acme'], { query: 'quarterly budget' }))).toStrictEqual(own);
    expect(await store.get(['acme'], 'acme-corp')).toBeNull();
    expect(await store.listNamespaces({ prefix: ['acme'] })).toStrictEqual([
      ['acme'],
      ['acme', 'team'],
    ]);
    const corp = ['acme-corp', 'acme-corp/team'];
    expect(keysOf(await store.search(['acme-corp']))).toStrictEqual(corp);
    await store.delete(['acme'], 'acme');
    expect(keysOf(await store.search(['acme-corp'], { query: 'budget' }))).toStrictEqual(corp);
  });

  it('with a wildcard, or with parts that look like one label, is not mixed up with another', async () => {
    const store = new MaceStore(newClient());
    await store.put(['a', 'b'], 'two', { x: 1 });
    await store.put(['a b'], 'one', { x: 1 });
    await store.put(['a/b'], 'slash', { x: 1 });
    await store.put(['*', 'b'], 'star', { x: 1 });
    expect(keysOf(await store.search(['a']))).toStrictEqual(['two']);
    expect(keysOf(await store.search(['*']))).toStrictEqual(['star']);
  });
});

describe('A search with a query', () => {
  const store = new MaceStore(newClient());

  beforeAll(async () => {
    await store.batch([
      {
        namespace: ['mem', 'food'],
        key: 'sushi',
        value: { text: 'Mira likes sushi for dinner', rating: 5 },
      },
      {
        namespace: ['mem', 'food'],
        key: 'pizza',
        value: { text: 'Mira ordered a pizza', rating: 2 },
      },
      {
        namespace: ['mem', 'work'],
        key: 'plan',
        value: { text: 'The sushi restaurant opens in May' },
      },
      { namespace: ['away'], key: 'other', value: { text: 'sushi elsewhere' } },
    ]);
  });

  it('has the items under the prefix that its words match, the best first, with their scores', async () => {
    const items = await store.search(['mem'], { query: 'sushi dinner' });
    expect(items.map(({ key }) => key)).toStrictEqual(['sushi', 'plan']);
    expect(items[0]).toMatchObject({
      namespace: ['mem', 'food'],
      value: { text: 'Mira likes sushi for dinner', rating: 5 },
    });
    expect(items[0]!.score!).toBeGreaterThan(items[1]!.score!);
    expect(items[0]!.createdAt).toBeInstanceOf(Date);
  });

  it('can be filtered, limited and paged', async () => {
    const keys = async (options: object) =>
      (await store.search(['mem'], { query: 'sushi dinner', ...options })).map(({ key }) => key);
    expect(await keys({ filter: { rating: { $gte: 3 } } })).toStrictEqual(['sushi']);
    expect(await keys({ limit: 1 })).toStrictEqual(['sushi']);
    expect(await keys({ limit: 1, offset: 1 })).toStrictEqual(['plan']);
  });

  it('finds nothing for words that no item has, for stop words, or after a deletion', async () => {
    expect(await store.search(['mem'], { query: 'zeppelin' })).toStrictEqual([]);
    expect(await store.search(['mem'], { query: 'the and of' })).toStrictEqual([]);
    await store.put(['mem'], 'gone', { text: 'a kayak' });
    expect(await store.search(['mem'], { query: 'kayak' })).toHaveLength(1);
    await store.delete(['mem'], 'gone');
    expect(await store.search(['mem'], { query: 'kayak' })).toStrictEqual([]);
  });

  it('sees an item that was just put or replaced', async () => {
    await store.put(['fresh'], 'a', { text: 'a red bicycle' });
    expect(await store.search(['fresh'], { query: 'bicycle' })).toHaveLength(1);
    await store.put(['fresh'], 'a', { text: 'a blue car' });
    expect(await store.search(['fresh'], { query: 'bicycle' })).toStrictEqual([]);
    expect(await store.search(['fresh'], { query: 'car' })).toHaveLength(1);
  });
});

describe('A list of namespaces', () => {
  const store = new MaceStore(newClient());
  const names = [
    ['a', 'b', 'c'],
    ['a', 'b', 'd', 'e'],
    ['a', 'b', 'd', 'i'],
    ['a', 'b', 'f'],
    ['a', 'c', 'f'],
    ['b', 'a', 'f'],
    ['users', '123'],
    ['users', '456', 'settings'],
    ['admin', 'users', '789'],
  ];
  const text = (namespaces: readonly (readonly string[])[]) =>
    namespaces.map((parts) => parts.join('/')).sort();
  const listed = async (options: Parameters<typeof store.listNamespaces>[0]) =>
    text(await store.listNamespaces(options));

  beforeAll(async () => {
    await store.batch(
      names.map((namespace, place) => ({ namespace, key: `k${place}`, value: { place } })),
    );
    await store.put(['a', 'b', 'c'], 'another', { a: 1 });
  });

  it('has each namespace with items once', async () => {
    expect(await listed({})).toStrictEqual(text(names));
  });

  it('can have a prefix, a suffix, or both', async () => {
    expect(await listed({ prefix: ['a', 'b'] })).toStrictEqual(text(names.slice(0, 4)));
    expect(await listed({ suffix: ['f'] })).toStrictEqual(['a/b/f', 'a/c/f', 'b/a/f']);
    expect(await listed({ prefix: ['a'], suffix: ['f'] })).toStrictEqual(['a/b/f', 'a/c/f']);
    expect(await listed({ prefix: ['a', 'b', 'c', 'd'] })).toStrictEqual([]);
    expect(await listed({ prefix: ['user'] })).toStrictEqual([]);
  });

  it('can have any label in one place of the prefix or suffix', async () => {
    expect(await listed({ prefix: ['a', '*', 'f'] })).toStrictEqual(['a/b/f', 'a/c/f']);
    expect(await listed({ prefix: ['*', 'users'] })).toStrictEqual(['admin/users/789']);
    expect(await listed({ suffix: ['d', '*'] })).toStrictEqual(['a/b/d/e', 'a/b/d/i']);
    expect(await listed({ prefix: ['users', '*'], suffix: ['settings'] })).toStrictEqual([
      'users/456/settings',
    ]);
  });

  it('can be cut to a depth, and then has each once', async () => {
    expect(await listed({ maxDepth: 2, prefix: ['a'] })).toStrictEqual(['a/b', 'a/c']);
    expect(await listed({ maxDepth: 3, prefix: ['a', 'b'] })).toStrictEqual([
      'a/b/c',
      'a/b/d',
      'a/b/f',
    ]);
    expect(await listed({ maxDepth: 1 })).toStrictEqual(['a', 'admin', 'b', 'users']);
  });

  it('comes in pages by limit and offset', async () => {
    const pages = await Promise.all(
      [0, 4, 8, 12].map((offset) => store.listNamespaces({ limit: 4, offset })),
    );
    expect(pages.map(({ length }) => length)).toStrictEqual([4, 4, 1, 0]);
    expect(text(pages.flat())).toStrictEqual(text(names));
  });

  it('does not have a namespace whose last item was deleted', async () => {
    await store.put(['passing'], 'k', { a: 1 });
    await store.delete(['passing'], 'k');
    expect(await listed({ prefix: ['passing'] })).toStrictEqual([]);
  });
});

describe('A batch', () => {
  const store = new MaceStore(newClient());

  it('answers each operation in its place, and its reads see the store as it was before', async () => {
    await store.put(['batch'], 'old', { a: 1 });
    const [got, put, missing, searched, listed] = await store.batch([
      { namespace: ['batch'], key: 'old' },
      { namespace: ['batch'], key: 'new', value: { b: 2 } },
      { namespace: ['batch'], key: 'new' },
      { namespacePrefix: ['batch'] },
      { matchConditions: [{ matchType: 'prefix', path: ['batch'] }], limit: 10, offset: 0 },
    ]);
    expect(got).toMatchObject({ value: { a: 1 } });
    expect(put).toBeNull();
    expect(missing).toBeNull();
    expect(keysOf(searched as never)).toStrictEqual(['old']);
    expect(listed).toStrictEqual([['batch']]);
    expect((await store.get(['batch'], 'new'))?.value).toStrictEqual({ b: 2 });
  });

  it('puts one item as its last put says', async () => {
    await store.batch([
      { namespace: ['last'], key: 'k', value: { a: 1 } },
      { namespace: ['last'], key: 'k', value: { a: 2 } },
      { namespace: ['last'], key: 'deleted', value: { a: 1 } },
      { namespace: ['last'], key: 'deleted', value: null },
    ]);
    expect((await store.get(['last'], 'k'))?.value).toStrictEqual({ a: 2 });
    expect(await store.get(['last'], 'deleted')).toBeNull();
  });

  it('may meet several conditions of one kind', async () => {
    await store.put(['x', 'y', 'z'], 'k', { a: 1 });
    await store.put(['x', 'q', 'z'], 'k', { a: 1 });
    const [listed] = await store.batch([
      {
        matchConditions: [
          { matchType: 'prefix', path: ['x'] },
          { matchType: 'prefix', path: ['*', 'y'] },
          { matchType: 'suffix', path: ['z'] },
        ],
        maxDepth: 2,
        limit: 10,
        offset: 0,
      },
    ]);
    expect(listed).toStrictEqual([['x', 'y']]);
  });

  it('may be empty', async () => {
    expect(await store.batch([])).toStrictEqual([]);
  });
});

describe('What the store wrote', () => {
  it('is recorded: every put and delete is an event of the note’s stream', async () => {
    const client = newClient();
    const store = new MaceStore(client);
    await store.put(['proof'], 'k', { a: 1 });
    await store.put(['proof'], 'k', { a: 2 });
    await store.delete(['proof'], 'k');
    const history = await client.notes.history({ namespace: ['proof'], key: 'k' });
    expect(history?.stream).toMatch(/^note-[0-9a-f]{64}$/);
    expect(history?.versions.map(({ type, value }) => [type, value])).toStrictEqual([
      ['note_put', { a: 1 }],
      ['note_put', { a: 2 }],
      ['note_deleted', undefined],
    ]);
  });
});
