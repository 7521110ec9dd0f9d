import { expect, test } from '@jest/globals';

interface Shape {
  readonly types: readonly string[];
  readonly type_of: readonly number[];
  readonly version: number;
}
interface Row {
  readonly kind: string;
  readonly number: number;
  readonly last?: number;
  readonly tick?: number;
}
interface HistoryRows {
  readonly historyRows: (shape: Shape, opened: ReadonlySet<number>) => readonly Row[];
  readonly rowOf: (rows: readonly Row[], number: number) => number;
  readonly runAt: (shape: Shape, number: number) => number | undefined;
}
interface Tokens {
  readonly parseSearch: (
    search: string,
    types: readonly string[],
  ) => { readonly conditions?: object; readonly problem?: string };
  readonly searchOfFields: (fields: object) => string;
}
interface Words {
  readonly wordsOf: (event: { readonly type: string; readonly data: object }) => string;
}
interface Durations {
  readonly durationWords: (ms: number) => string;
}
interface Families {
  readonly bandOf: (shape: Shape, columns: number) => readonly (readonly { family: string }[])[];
}

/** The console is compiled by its bundler, whose imports have no file extensions, so the compiler of the tests skips it. */
const sources = (file: string): Promise<unknown> => import(`#apps/console/src/jobs/${file}.js`);
const { historyRows, rowOf, runAt } = (await sources('replay/history-rows')) as HistoryRows;
const { parseSearch, searchOfFields } = (await sources('replay/search-tokens')) as Tokens;
const { wordsOf } = (await sources('replay/event-words')) as Words;
const { bandOf } = (await sources('replay/event-families')) as Families;
const { durationWords } = (await sources('duration-words')) as Durations;

/** A job's shape from the initials of its events: start, insert, use, tick, end. */
function shapeOf(initials: string): Shape {
  const types = ['job_started', 'wm_inserted', 'wm_referenced', 'ticked', 'job_ended'];
  const type_of = [...initials].map((initial) => 'siute'.indexOf(initial));
  return { types, type_of, version: type_of.length - 1 };
}
const CLOSED: ReadonlySet<number> = new Set();
const inShort = (rows: readonly Row[]): readonly string[] =>
  rows.map(({ kind, number, last, tick }) => `${kind} ${tick ?? number}${last ? `-${last}` : ''}`);

test('the events of a job are grouped by tick, and more than three like neighbours are one row', () => {
  const shape = shapeOf('siiituuuuutttttie');
  expect(inShort(historyRows(shape, CLOSED))).toStrictEqual([
    ...['tick 0', 'event 0', 'event 1', 'event 2', 'event 3', 'tick 1', 'run 5-9'],
    ...['run 10-14', 'event 15', 'event 16'],
  ]);
  expect(inShort(historyRows(shape, new Set([10])))).toStrictEqual([
    ...['tick 0', 'event 0', 'event 1', 'event 2', 'event 3', 'tick 1', 'run 5-9'],
    ...['run 10-14', 'tick 2', 'tick 3', 'tick 4', 'tick 5', 'tick 6', 'event 15', 'event 16'],
  ]);
});

test('every event has a row, whether its run is open or folded', () => {
  const shape = shapeOf('siiituuuuutttttie');
  for (const opened of [CLOSED, new Set([5]), new Set([5, 10])]) {
    const rows = historyRows(shape, opened);
    for (let number = 0; number <= shape.version; number += 1) {
      const row = rows[rowOf(rows, number)];
      const isInside =
        row !== undefined && number >= row.number && number <= (row.last ?? row.number);
      expect([number, isInside]).toStrictEqual([number, true]);
    }
  }
  expect([4, 5, 9, 12, 15].map((number) => runAt(shape, number))).toStrictEqual([
    ...[undefined, 5, 5, 10, undefined],
  ]);
});

test('a search has words and tokens, and a token that does not exist says which there are', () => {
  const types = ['job_started', 'wm_inserted', 'wm_referenced'];
  const parsed = (search: string) => {
    const { conditions, problem } = parseSearch(search, types);
    return problem ?? conditions;
  };
  expect(parsed('')).toBeUndefined();
  expect(parsed('type:wm_inserted tick:9-14 seattle')).toStrictEqual({
    ...{ types: 'wm_inserted', from_tick: 9, to_tick: 14, words: 'seattle' },
  });
  expect(parsed('TYPE:wm actor:ada kind:input tick:3 "no flight" 11:30')).toStrictEqual({
    ...{ types: 'wm_inserted,wm_referenced', actor_name: 'ada', kind: 'input' },
    ...{ from_tick: 3, to_tick: 3, words: '"no flight" 11:30' },
  });
  expect(parsed('"wm:lively:1"')).toStrictEqual({ words: '"wm:lively:1"' });
  expect(parsed('actor:"ada of ops"')).toStrictEqual({ actor_name: 'ada of ops' });
  expect(parsed('colour:red')).toMatch(/^There is no “colour:”. There are type:/);
  expect(parsed('tick:9-4')).toMatch(/^Write a tick/);
  expect(parsed('tick:a')).toMatch(/^Write a tick/);
  expect(parsed('tick:1 tick:2')).toBe('Write tick: once.');
  expect(parsed('kind:other')).toMatch(/^Write kind:input/);
  expect(parsed('type:query')).toBe(
    'No event here is of this type. There are job_started, wm_inserted, wm_referenced.',
  );
});

test('the fields of earlier addresses become the same search', () => {
  const fields = { types: 'wm_inserted', kind: 'input', from_tick: 2, text: 'a "b" c' };
  expect(searchOfFields(fields)).toBe('type:wm_inserted kind:input tick:2-999999999 "a b c"');
  expect(searchOfFields({})).toBe('');
});

test('an event is in words with its content first', () => {
  const kept = (value: unknown) => wordsOf({ type: 'wm_inserted', data: { type: 'fact', value } });
  expect(kept({ user: 'I don’t want to fly before 11' })).toBe(
    'user: I don’t want to fly before 11',
  );
  expect(kept({ role: 'tool', name: 'weather', content: 'rain' })).toBe('tool weather: rain');
  expect(kept({ key: 'user/ada/city', value: 'Lyon' })).toBe('kept fact user/ada/city = Lyon');
  expect(kept('cerulean')).toBe('fact: cerulean');
  expect(kept({ redacted: true, type: 'email' })).toBe('fact: [redacted: email]');
  expect(kept({ erased: true })).toBe('fact: [erased]');
  const sealed = { type: 'fact', sealed: { type: 'email' } };
  expect(wordsOf({ type: 'wm_inserted', data: sealed })).toBe('fact: [sealed: email]');
  const read = { kind: 'sem_get', ids: ['a', 'b', 'c', 'd', 'e'] };
  expect(wordsOf({ type: 'memory_read', data: read })).toBe('read a, b, c and 2 more by sem_get');
});

test('the band of the slider shows each kind of event in proportion, also of many events', () => {
  expect(
    bandOf(shapeOf('sit'), 10).map((shares) => shares.map(({ family }) => family)),
  ).toStrictEqual([['job'], ['kept'], ['tick']]);
  const [column, ...others] = bandOf(shapeOf('iiut'.repeat(100)), 1);
  expect(column).toStrictEqual([
    { family: 'tick', from: 0, to: 0.25 },
    { family: 'kept', from: 0.25, to: 0.75 },
    { family: 'used', from: 0.75, to: 1 },
  ]);
  expect(others).toStrictEqual([]);
});

test('a duration has its two greatest units', () => {
  const spans = [0, 850, 4_210, 60_000, 252_000, 7_500_000, 360_000_000];
  expect(spans.map(durationWords)).toStrictEqual([
    ...['0 ms', '850 ms', '4.2 s', '1 min', '4 min 12 s', '2 h 5 min', '4 d 4 h'],
  ]);
});
