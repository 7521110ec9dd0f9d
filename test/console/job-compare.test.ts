import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MaceClient } from '#client/mace-client.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

interface Event {
  readonly type: string;
  readonly data: object;
}
interface Compared {
  readonly tick: number;
}
interface Align {
  readonly entriesOf: (
    read: readonly { readonly id: string; readonly fact: { readonly value: string } | null }[],
  ) => Map<string, string>;
  readonly withPage: (
    before: readonly Compared[],
    events: readonly Event[],
    entries: Map<string, string>,
  ) => readonly Compared[];
  readonly firstDifference: (
    left: readonly Compared[],
    right: readonly Compared[],
    areWhole: boolean,
  ) => number | undefined;
  readonly align: (
    left: readonly Compared[],
    right: readonly Compared[],
  ) => Iterable<readonly { readonly verdict: string; readonly tick: number }[]>;
}

/** The console is compiled by its bundler, whose imports have no file extensions, so the compiler of the tests skips it. */
const sources = (file: string): Promise<unknown> => import(`#apps/console/src/jobs/${file}.js`);
const { align, entriesOf, firstDifference, withPage } = (await sources('compare/align')) as Align;

const started: Event = { type: 'job_started', data: { job_seed: 'a', goal: 'Fly' } };
const tick: Event = { type: 'ticked', data: {} };
const kept = (value: string, seed = 'a', entry = 1): Event => ({
  ...{ type: 'wm_inserted', data: { wm_id: `wm:${seed}:${entry}`, value } },
});
const used = (seed = 'a', entry = 1): Event => ({
  ...{ type: 'wm_referenced', data: { wm_id: `wm:${seed}:${entry}` } },
});
const history = (events: readonly Event[]): readonly Compared[] => withPage([], events, new Map());

describe('two histories', () => {
  const verdicts = (left: readonly Event[], right: readonly Event[]): readonly string[] =>
    [...align(history(left), history(right))].flat().map((pair) => `${pair.tick} ${pair.verdict}`);

  test('are the same although their seeds differ', () => {
    const other = { type: 'job_started', data: { job_seed: 'b', goal: 'Fly' } };
    const [left, right] = [
      [started, kept('x'), used(), tick],
      [other, kept('x', 'b'), used('b'), tick],
    ];
    expect(verdicts(left, right)).toStrictEqual(['0 same', '0 same', '0 same', '1 same']);
    expect(firstDifference(history(left), history(right), true)).toBeUndefined();
  });

  test('differ where what an agent wrote differs in a field that is named like one of the job', () => {
    const payee = (owner: string): Event => ({
      type: 'wm_inserted',
      data: { wm_id: 'wm:a:1', value: { text: 'Pay', owner, session_id: owner } },
    });
    const [left, right] = [
      history([started, payee('Alice')]),
      history([started, payee('Mallory')]),
    ];
    expect(firstDifference(left, right, true)).toBe(1);
  });

  test('of 20,000 events in one tick are aligned without comparing each with each', () => {
    const [left, right] = [kept('x'), used()].map((event) =>
      history(Array.from({ length: 20_000 }, () => event)),
    );
    let looked = 0;
    const counted = (events: readonly Compared[]): readonly Compared[] =>
      events.map((one) => ({
        ...one,
        get event() {
          looked += 1;
          return (one as unknown as { event: Event }).event;
        },
      }));
    expect([...align(counted(left!), counted(right!))].flat()).toHaveLength(40_000);
    expect(looked).toBeLessThan(1_000_000);
  });

  test('differ where they read another value of the same fact, and not where a fact has another version alone', () => {
    const key = 'world/hotel/oslo/check_in';
    const read: Event = { type: 'memory_read', data: { kind: 'sem_get', ids: [key] } };
    const knowing = (value: string) =>
      withPage([], [started, read], entriesOf([{ id: key, fact: { value } }]));
    expect(firstDifference(knowing('15:00'), knowing('16:00'), true)).toBe(1);
    expect(firstDifference(knowing('15:00'), knowing('15:00'), true)).toBeUndefined();
    expect(knowing('15:00')[1]).toMatchObject({ found: `read ${key} = "15:00"` });
  });

  test('are aligned by tick, type and content, and what only one has does not shift the rest; a use differs if the used entries do', () => {
    const left = [
      started,
      kept('x'),
      kept('y', 'a', 2),
      tick,
      used('a', 2),
      kept('z', 'a', 3),
      tick,
    ];
    const right = [started, kept('y', 'b'), used('b'), tick, kept('z', 'b', 2), tick, tick];
    expect(verdicts(left, right)).toStrictEqual([
      ...['0 same', '0 left', '0 same', '0 right'],
      ...['1 same', '1 left', '1 same', '2 same', '3 right'],
    ]);
    expect(verdicts([started, kept('x'), used()], [started, kept('y'), used('b')])).toStrictEqual([
      ...['0 same', '0 differs', '0 differs'],
    ]);
  });

  test('have a first difference as soon as it was read, and a shorter one only at its end', () => {
    const [left, right] = [
      history([started, kept('x', 'a', 1), tick]),
      history([started, kept('x', 'b', 1)]),
    ];
    expect(firstDifference(left, right, false)).toBeUndefined();
    expect(firstDifference(left, right, true)).toBe(2);
    expect(firstDifference(left, withPage(right, [used()], new Map()), false)).toBe(2);
  });
});

describe('the page that compares two jobs', () => {
  const [one, other] = [named('left-run'), named('right-run')];
  let service: TestService;
  let browser: ConsoleBrowser;
  let auditor: ConsolePage;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.shared(), ConsoleBrowser.start()]);
    const agent = new MaceClient({ baseUrl: service.url, token: await service.token(['agent']) });
    for (const [seed, hour] of [
      [one, 11],
      [other, 10],
    ] as const) {
      await agent.jobs.start({
        ...{ job_seed: seed, goal: 'Fly to Seattle' },
        constants: { wm_default_ttl_ticks: hour },
      });
      await agent.job(seed).batch([
        { op: 'wm_insert', type: 'fact', ttl_ticks: 9, value: { user: 'A window seat' } },
        { op: 'tick' },
        {
          op: 'wm_insert',
          type: 'fact',
          ttl_ticks: 9,
          value: { user: `No flight before ${hour}` },
        },
        { op: 'tick' },
      ]);
      if (seed === one) await agent.job(seed).end();
    }
    auditor = await browser.open(
      service,
      await service.token(['auditor'], { sub: 'ada' }),
      `/jobs/${one}`,
    );
  });
  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
  });

  test('is reached from a job, names the first difference, and shows what differs and what is the same', async () => {
    const { page } = auditor;
    await page.getByRole('link', { name: 'Compare …' }).click();
    await page.getByRole('combobox', { name: 'Right job' }).fill(other);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.waitForURL(new RegExp(`compare\\?left=.*right-run`));
    await page.getByText('First difference at tick 1').waitFor();
    await page.getByText('Left, event 3: user: No flight before 11').waitFor();
    const table = page.getByRole('region', { name: 'Both jobs' });
    await table.getByRole('row', { name: /^wm_default_ttl_ticks 11 10 differs/ }).waitFor();
    await table.getByRole('row', { name: /^Status ended running differs/ }).waitFor();
    await table
      .getByRole('row', { name: /^First goal Fly to Seattle Fly to Seattle same/ })
      .waitFor();
    const rows = page.getByRole('region', { name: 'Events of both jobs' }).getByRole('listitem');
    await rows.filter({ hasText: /≠ differs.*before 11.*before 10/s }).waitFor();
    expect(await rows.filter({ hasText: '= same' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Also what is the same' }).click();
    await rows.filter({ hasText: 'A window seat' }).waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await auditor.overflow()).toBe(0);
    expect(auditor.errors).toStrictEqual([]);
  });
});
