import { expect, test } from '@jest/globals';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { JobEvent } from '#domain/job/events.js';
import {
  end,
  forget,
  forgetItem,
  given,
  insert,
  item,
  SEED,
  start,
  tick,
  ticks,
  use,
  useItem,
  wm,
} from './job-cases.js';

interface Excerpts {
  readonly count: number;
  readonly items: readonly { readonly id: string; readonly content: string }[];
}
interface Ended {
  readonly kept: {
    readonly count: number;
    readonly items: readonly { readonly episodic_id: string; readonly summary: string }[];
  };
  readonly carried: Excerpts;
  readonly expired: Excerpts;
}

const started = given().when(start()).events();
const endAfter = (...commands: readonly JobCommand[]): Ended =>
  given(...started)
    .when(...commands, end)
    .answer() as Ended;
const NOTHING = { count: 0, items: [] };
const inserts = (count: number): JobCommand[] =>
  Array.from({ length: count }, (_, index) => insert(`entry ${index + 1}`));
const episodesIn = (events: readonly JobEvent[]) =>
  events.flatMap((event) =>
    event.type === 'episode_consolidated' || event.type === 'episodic_summary' ? [event.data] : [],
  );

test('J7 the end answers the episodes that it made and the entries that are gone', () => {
  const commands = [insert('Rome'), insert('a guess', 'hint'), insert('unused'), use(1), use(2)];
  const outcome = given(...started).when(...commands, end);
  const [fact, summary] = episodesIn(outcome.events());
  expect(outcome.answer()).toStrictEqual({
    status: 'ended',
    reflective_log_id: reflectiveLogId(SEED),
    kept: {
      count: 2,
      items: [
        { episodic_id: fact?.episodic_id, summary: 'Rome' },
        { episodic_id: summary?.episodic_id, summary: ': ' },
      ],
    },
    carried: NOTHING,
    expired: {
      count: 2,
      items: [
        { id: wm(2), type: 'hint', content: 'a guess' },
        { id: wm(3), type: 'fact', content: 'unused' },
      ],
    },
  });
});

test('J3 J7 an entry that expired before the end is gone, even if it was used; one that the agent forgot is not listed', () => {
  const { expired } = endAfter(
    ...[insert({ city: 'Rome' }, 'temp', 1), insert('wrong'), insert('used', 'fact', 2)],
    ...[use(3), forget(2), ...ticks(2)],
  );
  expect(expired).toStrictEqual({
    count: 2,
    items: [
      { id: wm(1), type: 'temp', content: '{"city":"Rome"}' },
      { id: wm(3), type: 'fact', content: 'used' },
    ],
  });
});

test('J7 of 25 entries that are gone, the answer shows the last 20 and counts 25', () => {
  const lastOf = ({ expired }: Ended) => [expired.count, expired.items.map(({ id }) => id)];
  const last20 = [25, Array.from({ length: 20 }, (_, index) => wm(index + 6))];
  expect(lastOf(endAfter(...inserts(25)))).toStrictEqual(last20);
  expect(lastOf(endAfter(...inserts(25), ...ticks(3)))).toStrictEqual(last20);
  expect(lastOf(endAfter(...inserts(22), ...ticks(3), ...inserts(3)))).toStrictEqual(last20);
});

test('J7 of 25 episodes of the end, the answer shows the last 20 and counts 25, with the ids of their events', () => {
  const uses = Array.from({ length: 24 }, (_, index) => use(index + 1));
  const outcome = given(...started).when(...inserts(24), ...uses, end);
  const { kept } = outcome.answer() as Ended;
  const made = episodesIn(outcome.events());
  expect(made).toHaveLength(25);
  expect(kept.count).toBe(25);
  expect(kept.items).toStrictEqual(
    made.slice(-20).map(({ episodic_id, summary }) => ({ episodic_id, summary })),
  );
});

test('P3 J7 the answer to an end shows a sealed entry as personal data, never its text or ciphertext', () => {
  const sealed = { jwe: 'e..i.c.t', type: 'email' };
  const secret: JobCommand = { op: 'wm_insert', type: 'fact', sealed };
  const session = given()
    .when(start({}, { session_id: 's-1' }))
    .events();
  const answer = given(...session)
    .when(...[secret, secret, secret, use(2), use(2), tick, use(3), end])
    .answer() as Ended;
  expect([answer.expired.items, answer.carried.items]).toStrictEqual([
    [{ id: wm(1), type: 'fact', content: '(personal data)' }],
    [{ id: item(2), type: 'fact', content: '(personal data)' }],
  ]);
  expect(answer.kept.items.map(({ summary }) => summary)).toStrictEqual([
    '[REDACTED:email]',
    ': [REDACTED:email]',
  ]);
  expect(JSON.stringify(answer)).not.toContain(sealed.jwe);
});

test('J7 the answer to an end shows 80 characters of a content, and never half of one', () => {
  const { kept, expired } = endAfter(
    ...[insert('\u{1f600}'.repeat(100)), insert('\u{1f600}'.repeat(90)), use(2)],
  );
  expect(expired.items[0]?.content).toBe('\u{1f600}'.repeat(80));
  expect(kept.items[0]?.summary).toBe('\u{1f600}'.repeat(80));
});

test('J5 J7 an item that expired in the CWM or left it over the budget is gone; one that returned to WM or was forgotten is not', () => {
  const promoted = [insert('a'), insert('b'), ...[1, 1, 2, 2].map(use), tick];
  const expiring = given()
    .when(start({ cwm_ttl_ticks: 1 }), ...promoted, useItem(1), useItem(1), tick, end)
    .answer() as Ended;
  // The item a returned as wm 3, which the end leaves in WM; b expired.
  expect(expiring.expired.items.map(({ id }) => id)).toStrictEqual([item(2), wm(3)]);
  const evicting = given()
    .when(start({ cwm_token_budget: 1 }), ...promoted, end)
    .answer() as Ended;
  expect(evicting.expired.items.map(({ id }) => id)).toStrictEqual([item(1)]);
  expect(endAfter(...promoted, forgetItem(1)).expired).toStrictEqual(NOTHING);
});

test('J1 J7 the end answers the CWM that the session’s next job begins with; a job without a session hands none on', () => {
  const commands = [insert('Rome'), use(1), use(1), tick];
  expect(endAfter(...commands).carried).toStrictEqual(NOTHING);
  const carrying = given()
    .when(start({}, { session_id: 's-1' }), ...commands, end)
    .answer() as Ended;
  const items = [{ id: item(1), type: 'fact', content: 'Rome' }];
  expect(carrying.carried).toStrictEqual({ count: 1, items });
  expect(carrying.expired).toStrictEqual(NOTHING);
});
