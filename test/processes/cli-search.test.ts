import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchResult } from '#client/search.js';
import { MaceClient } from '#client/mace-client.js';
import { named } from '../support/named.js';
import { TestService } from '../support/service.js';
import { TEST_KEYS } from '../support/test-keys.js';
import { type CliEnded, mace } from '#test/support/cli-run.js';

describe('mace search', () => {
  let service: TestService;
  let client: MaceClient;
  const job = named('trip');
  // A word that no other test writes.
  const word = named('harbour').replace(/[^a-z0-9]/gi, '');
  beforeAll(async () => {
    service = await TestService.shared();
    const token = await service.token('agent', { sub: named('agent') });
    client = new MaceClient({ baseUrl: service.url, token });
    await client.jobs.start({ job_seed: job, seeded_epoch: '2024-05-01T08:00:00.000Z' });
    await client.job(job).writeEpisode({ summary: `We sailed\n into ${word}`, source: 'agent' });
    await client.job(job).insert({ type: 'fact', value: `${word} has two lighthouses` });
    // The command has a token of its own, so it need not see what this client has just written.
    await service.caughtUp();
  });
  afterAll(() => service.stop());

  const search = (...args: readonly string[]): Promise<CliEnded> =>
    mace(['search', ...args, '--url', service.url], {
      MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET,
    });
  const found = async (...args: readonly string[]): Promise<SearchResult> => {
    const { code, stdout, stderr } = await search(...args, '--json');
    expect([stderr, code]).toStrictEqual(['', 0]);
    return JSON.parse(stdout) as SearchResult;
  };

  it('Q5 prints each hit with its kind, text, score, time and source event', async () => {
    const { code, stdout } = await search(word);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^ {2}1 {2}We sailed into ${word}\\n {5}episode ep:\\S+\\n` +
          ` {5}score \\d+\\.\\d{3} {2}2024-05-01T08:00:00\\.001Z {2}job-${job}@1\\n`,
      ),
    );
    expect(stdout).toMatch(new RegExp(`wm wm:${job}:1\\n.* job-${job}@2\\n`));
    expect(stdout).toMatch(/\n2 hits as of position \d+, with version 2 of the ranking\n$/);
  });

  it('Q5 shows with --explain what a score is made of', async () => {
    const { stdout } = await search('sailing', word, '--explain', '--kind', 'episode');
    const [, score] = /score (\S+)/.exec(stdout) ?? [];
    const [, sum = ''] =
      /^ {5}= \((sail \d+\.\d{3} \+ .* \+ window .* \+ group .*)\)$/m.exec(stdout) ?? [];
    const parts = sum.match(/\d+\.\d{3}/g)?.map(Number) ?? [];
    expect(parts.reduce((total, part) => total + part, 0)).toBeCloseTo(Number(score), 2);
  });

  it('Q1 narrows the search to kinds, to a job, and to a position of the log', async () => {
    const facts = await found(word, '--kind', 'wm', 'fact', '--limit', '5');
    expect(facts.hits.map(({ kind }) => kind)).toStrictEqual(['wm']);
    const other = named('other');
    await client.jobs.start({ job_seed: other });
    await client.job(other).writeEpisode({ summary: `${word} again`, source: 'agent' });
    await service.caughtUp();
    const inOther = await found(word, '--job', other, '--ranking-version', '1');
    expect(inOther.hits.map(({ text }) => text)).toStrictEqual([`${word} again`]);
    expect(inOther.ranking_version).toBe(1);
    const before = await found(word, '--kind', 'episode', '--as-of', facts.as_of);
    expect(before.hits.map(({ source }) => source.stream)).toStrictEqual([`job-${job}`]);
  });

  it('W6 shows no logical time as a date, and narrows the search by the clock', async () => {
    const logical = named('logical');
    await client.jobs.start({ job_seed: logical });
    await client.job(logical).writeEpisode({ summary: `${word} by night`, source: 'agent' });
    await service.caughtUp();
    const { stdout } = await search(word, '--job', logical);
    const { hits } = await found(word, '--job', logical);
    const shown = hits[0]?.shown_at ?? '';
    expect(Math.abs(Date.parse(shown) - Date.now())).toBeLessThan(600_000);
    expect(stdout).toContain(`  ${shown}  job-${logical}@1\n`);
    const since = (...times: readonly string[]) => found(word, '--job', job, ...times);
    expect((await since('--since', shown)).hits).toStrictEqual([]);
    const day = shown.slice(0, 10);
    expect((await since('--since', `${day}T00:00Z`, '--until', day)).hits).toHaveLength(2);
    expect((await since('--until', '2024-05-02')).hits).toStrictEqual([]);
    expect(await search(word, '--since', 'yesterday')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"yesterday" is not a time'),
    });
  });

  it('says that nothing was found, also for a query of stop words only', async () => {
    for (const query of ['zyzzyvas', 'the and of']) {
      const { code, stdout } = await search(query);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Nothing was found as of position \d+, /);
    }
  });

  it('exits with code 2 if the position is ahead of the log', async () => {
    const { code, stdout, stderr } = await search(word, '--as-of', '999999999999');
    expect([code, stdout]).toStrictEqual([2, '']);
    expect(stderr).toMatch(/INVALID_INPUT: .*as_of: is ahead of the log/);
  });
});
