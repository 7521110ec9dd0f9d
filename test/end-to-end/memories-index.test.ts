import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Caller } from '#test/support/caller.js';
import { DataSubject, EMAIL, erased } from '#test/support/data-subject.js';
import { TestService } from '#test/support/service.js';
import { until } from '#test/faults/support/until.js';

const TABLES = ['entry', 'posting', 'block', 'label', 'partition'] as const;

describe('The index of words over memories (W2, P5)', () => {
  let service: TestService;
  let postgres: pg.Client;
  let admin: Caller;
  let ada: DataSubject;
  let ben: DataSubject;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    postgres = new pg.Client({ connectionString: service.postgres.url });
    await postgres.connect();
    admin = await Caller.of(service, 'admin');
    [ada, ben] = [await DataSubject.of(service, 'ada'), await DataSubject.of(service, 'ben')];
    for (const person of [ada, ben]) {
      await person.agent.post('remember', { said: 'I collect zeppelins. Nadia: my aunt.' });
      await person.agent.post('remember', { text: `The zeppelin dealer is ${EMAIL}` });
    }
  });
  afterAll(async () => {
    await postgres?.end();
    await service?.stop();
  });

  /** Returns the rows of the index as texts. */
  async function index(): Promise<Record<string, string[]>> {
    const all: Record<string, string[]> = {};
    for (const table of TABLES) {
      const { rows } = await postgres.query<{ row: string }>(
        `select row::text from (select * from search.${table}) as row order by 1`,
      );
      all[table] = rows.map(({ row }) => row);
    }
    return all;
  }
  const found = async (person: DataSubject, query: string): Promise<string[]> => {
    const { recalled } = await person.agent.post<{
      recalled: { text: string; score: number | null }[];
    }>('recall', { query });
    return recalled.filter(({ score }) => score !== null).map(({ text }) => text);
  };
  const linesWith = async (word: string): Promise<number> =>
    Object.values(await index())
      .flat()
      .filter((row) => row.includes(word)).length;

  it('has the terms of a memory and never its text, and nothing of one with personal data', async () => {
    expect(await found(ada, 'zeppelin')).toStrictEqual(['I collect zeppelins.']);
    expect(await linesWith('zeppelin')).toBe(2);
    expect(await linesWith('I collect')).toBe(0);
    expect(await linesWith('dealer')).toBe(0);
  });

  it('loses what it had of a person with the key, keeps what it has of others, and takes what is said anew', async () => {
    await erased(service, ada);
    await service.caughtUp();
    expect(await found(ada, 'zeppelin')).toStrictEqual([]);
    expect(await found(ben, 'zeppelin')).toStrictEqual(['I collect zeppelins.']);
    expect(await linesWith('zeppelin')).toBe(1);
    await ada.agent.post('remember', { text: 'Flies kites' });
    expect(await found(ada, 'kite')).toStrictEqual(['Flies kites']);
  });

  it('X5 is the same after a rebuild, which cannot open what was erased', async () => {
    const before = await index();
    const oid = async () =>
      (await postgres.query(`select 'search.entry'::regclass::oid as oid`)).rows[0] as unknown;
    const first = await oid();
    await admin.did('POST', 'projections/search/rebuild', { body: {} });
    await until(
      'the rebuilt index is live',
      async () => JSON.stringify(await oid()) !== JSON.stringify(first),
    );
    expect(await index()).toStrictEqual(before);
    const { projections } = await admin.get<{ projections: Record<string, unknown>[] }>(
      'projections',
    );
    expect(projections.find(({ name }) => name === 'search')).toMatchObject({ stopped: null });
    expect(await found(ben, 'zeppelin')).toStrictEqual(['I collect zeppelins.']);
  });
});
