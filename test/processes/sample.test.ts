import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MaceClient } from '#client/mace-client.js';
import type { Role } from '#platform/auth/roles.js';
import { mace } from '#test/support/cli-run.js';
import { TestService } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { TEST_KEYS } from '../support/test-keys.js';

interface Made {
  readonly prefix: string;
  readonly requests: Readonly<Record<string, string>>;
  readonly tampered: string;
  readonly planted?: readonly { readonly name: string; readonly wrong: string }[];
}

describe('mace sample', () => {
  const folder = temporaryFolder('sample');
  let service: TestService;
  let again: Made;
  /** A quorum of two needs more than one reviewer for each decision of the story. */
  beforeAll(async () => {
    const environment = { MACE_COUNCIL_QUORUM: '2' };
    service = await TestService.start({ ownLog: true, environment });
  });
  afterAll(async () => {
    await service?.stop();
    folder.remove();
  });

  const sample = (args: readonly string[] = [], environment: Record<string, string> = {}) => {
    const { MACE_JWT_SECRET } = TEST_KEYS;
    const env = { MACE_URL: service.url, MACE_JWT_SECRET, ...environment };
    return mace(['sample', ...args], env, folder.path);
  };
  async function made(...args: string[]): Promise<Made> {
    const { code, stdout, stderr } = await sample([...args, '--json']);
    expect([stderr, code]).toStrictEqual(['', 0]);
    return JSON.parse(stdout) as Made;
  }
  /** Returns a client that sees what the commands have written, which are programs of their own. */
  const clientOf = async (role: Role): Promise<MaceClient> => {
    await service.caughtUp();
    return new MaceClient({ baseUrl: service.url, token: await service.token(role) });
  };
  const seedsOf = async (sampled?: 'false'): Promise<string[]> => {
    const { jobs } = await (
      await clientOf('auditor')
    ).jobs.list(sampled === undefined ? {} : { sample: sampled });
    return jobs.map(({ job_seed }) => job_seed).sort();
  };
  const events = async (): Promise<number> =>
    (await (await clientOf('auditor')).integrity.verify()).events;
  async function requests() {
    const council = await clientOf('council');
    return (await council.actionRequests.list({ limit: 100 })).action_requests;
  }

  it('fills a service with jobs, facts, notes and requests of every kind, status and risk', async () => {
    const { code, stdout, stderr } = await sample();
    expect([stderr, code]).toStrictEqual([
      `Using ${service.url} as the people of the sample (roles: agent, user, council, admin, auditor) from MACE_JWT_SECRET\n`,
      0,
    ]);
    expect(stdout).toContain(`${service.url}/console/requests`);
    expect(stdout).toContain(`${service.url}/console/jobs?sample=true`);
    expect(stdout).not.toContain('Cyrillic');
    const made = await requests();
    expect(made).toHaveLength(30);
    expect(new Set(made.map(({ kind }) => kind))).toStrictEqual(
      new Set(['sem_put', 'sensitive_consent', 'erasure']),
    );
    expect(new Set(made.map(({ status }) => status))).toStrictEqual(
      new Set(['pending', 'executed', 'rejected']),
    );
    for (const level of ['low', 'medium', 'high'])
      expect(made.filter(({ risk }) => risk?.level === level).length).toBeGreaterThanOrEqual(6);
    const seeds = await seedsOf();
    expect(seeds).toHaveLength(6);
    for (const name of [...seeds, ...made.map(({ proposer }) => proposer.sub)])
      expect(name).toMatch(/^sample-/);
  });

  it('a second run changes nothing', async () => {
    const before = await events();
    again = await made('--answers');
    expect(await events()).toBe(before);
    expect(new Set(Object.values(again.requests))).toStrictEqual(
      new Set((await requests()).map(({ request_id }) => request_id)),
    );
  });

  it('a fact was corrected, and a person was erased', async () => {
    const auditor = await clientOf('auditor');
    const key = 'world/supplier/sample-aurora/delivery_days';
    const history = await auditor.sem.history(key);
    expect((await auditor.sem.get(key)).value).toBe(5);
    expect(history?.events.filter(({ type }) => type.includes('put'))).toHaveLength(2);
    const contact = await auditor.sem.get('user/profile/user_sample_lena/contact');
    expect(contact.value).toMatchObject({ erased: true });
    const { requests: ids } = again;
    const receipt = await auditor.privacy.erasureReceipt(ids['lena-erasure']!);
    expect(receipt.destroyed_keys).toHaveLength(1);
  });

  it('mace verify accepts the bundle, and names what was changed in the tampered copy', async () => {
    const tampered = join(folder.path, again.tampered);
    const intact = await mace(['verify', tampered.replace('.tampered', '')]);
    expect([intact.stderr, intact.code]).toStrictEqual(['', 0]);
    const broken = await mace(['verify', tampered]);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/event \d+ \(wm_inserted, line \d+\) was edited/);
    expect(readdirSync(folder.path)).toStrictEqual(['sample']);
  });

  it('with --answers, it says which of the waiting requests are wrong on purpose, and why', async () => {
    const { planted = [], requests: ids } = again;
    expect(planted).toHaveLength(8);
    const waiting = (await requests()).filter(({ status }) => status === 'pending');
    for (const { name } of planted)
      expect(waiting.map(({ request_id }) => request_id)).toContain(ids[name]);
    const levels = planted.map(({ name }) => [
      name,
      waiting.find(({ request_id }) => request_id === ids[name])?.risk?.level,
    ]);
    expect(Object.fromEntries(levels)).toStrictEqual({
      ...{ payment: 'high', 'legal-name': 'high' },
      ...{ 'minimum-order': 'medium', pool: 'medium', parking: 'medium', pets: 'medium' },
      'check-out-late': 'medium',
      // The source has the value, and speaks of 2017.
      'airport-train': 'medium',
    });
    expect((await sample(['--answers'])).stdout).toContain('the Cyrillic letter U+0410');
  });

  it('every job of the sample replays identically, and a list of jobs can leave them out', async () => {
    const auditor = await clientOf('auditor');
    for (const seed of await seedsOf())
      expect([seed, (await auditor.job(seed).replay()).identical]).toStrictEqual([seed, true]);
    expect(await seedsOf('false')).toStrictEqual([]);
  });

  it('without the keys of the service, it says which it needs', async () => {
    const { code, stderr } = await sample([], {
      MACE_JWT_SECRET: 'another:Hs7Kw2mZq9Xv4Rt1Yb8Nc3Lp6Jd5Gf0A',
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/needs the keys of that service.*MACE_DATA_DIR.*MACE_JWT_SECRET/);
  });

  it('with --remove, its facts, notes and people are gone, nothing waits, and its jobs stay', async () => {
    const seeds = await seedsOf();
    const { code, stdout } = await sample(['--remove']);
    expect([stdout, code]).toStrictEqual([
      expect.stringMatching(
        /^The sample is removed: 9 facts and 5 notes deleted, 6 memories forgotten, 19 requests rejected, 3 people erased\./,
      ),
      0,
    ]);
    const auditor = await clientOf('auditor');
    expect((await auditor.sem.search('')).facts).toStrictEqual([]);
    expect((await requests()).filter(({ status }) => status === 'pending')).toStrictEqual([]);
    expect(await seedsOf()).toStrictEqual(seeds);
    const { jobs } = await auditor.jobs.list();
    expect(jobs.filter(({ status }) => status === 'running')).toStrictEqual([]);
    const before = await events();
    expect((await sample(['--remove'])).stdout).toBe('This service has no sample.\n');
    expect(await events()).toBe(before);
  });

  it('after a removal, it fills the service again, with names of its own', async () => {
    const { prefix, requests: ids } = await made();
    expect([prefix, Object.keys(ids).length]).toStrictEqual(['sample-2-', 30]);
    const waiting = (await requests()).filter(({ status }) => status === 'pending');
    expect(waiting).toHaveLength(19);
    expect(await seedsOf()).toHaveLength(12);
    expect(await seedsOf('false')).toStrictEqual([]);
  });
});
