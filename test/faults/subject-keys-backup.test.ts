import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Caller } from '#test/support/caller.js';
import { DataSubject, EMAIL, erased } from '#test/support/data-subject.js';
import { type ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';

const KEY_FILE = 'subject-keys.ndjson';

describe('The keys of personal data after a loss of the data directory (SPEC P5)', () => {
  const folder = temporaryFolder('keys-backup');
  const at = (...names: string[]): string => join(folder.path, ...names);
  const lost = at('lost');
  let service: ServiceProcess;
  let kept: DataSubject;
  let forgotten: DataSubject;

  async function did(args: readonly string[], dataDir: string): Promise<void> {
    const { code, stderr } = await mace(args, { MACE_DATA_DIR: dataDir });
    expect([stderr, code]).toStrictEqual([stderr, 0]);
  }

  async function started(dataDir: string): Promise<ServiceClient> {
    service = ServiceProcess.spawn(dataDir);
    return service.ready();
  }

  /** Restores a backup. The keys are those of another backup if `keysOf` names one. */
  async function restored(backup: string, name: string, keysOf = backup): Promise<string> {
    await did(['restore', at(backup), '--data-dir', at(name)], at(name));
    cpSync(at(keysOf, 'data', KEY_FILE), at(name, KEY_FILE));
    return at(name);
  }

  const factOf = async (client: ServiceClient, { user_id, key }: DataSubject) =>
    (await Caller.of(client, 'user', { sub: user_id })).ask<{ value?: unknown }>(
      'GET',
      `sem/${key}`,
    );

  beforeAll(async () => {
    const client = await started(lost);
    kept = await DataSubject.of(client, 'kept');
    forgotten = await DataSubject.of(client, 'forgotten');
    await kept.agent.post(`jobs/${kept.job_seed}/end`);
    await did(['backup', '--out', at('first')], lost);
    await erased(client, forgotten);
    await did(['backup', '--out', at('second')], lost);
    await service.stop('SIGKILL');
    rmSync(lost, { recursive: true });
  });
  afterAll(async () => {
    await service?.stop();
    folder.remove();
  });

  it('a backup holds the keys wrapped, and those of an erased subject not at all', () => {
    const rowsOf = (backup: string) =>
      readFileSync(at(backup, 'data', KEY_FILE), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { kid: string; wrapped: string | null });
    const wrapped = (backup: string, { subject }: DataSubject) =>
      rowsOf(backup).find(({ kid }) => kid === `${subject}#1`)?.wrapped;
    expect(wrapped('first', forgotten)).toMatch(/^ey/);
    expect(wrapped('second', kept)).toMatch(/^ey/);
    expect(wrapped('second', forgotten)).toBeNull();
  });

  it('the restored service reads sealed values, and new ones take the same key', async () => {
    const dataDir = await restored('first', 'restored');
    const client = await started(dataDir);
    expect(await factOf(client, kept)).toMatchObject({ status: 200, body: { value: EMAIL } });
    expect(existsSync(join(dataDir, KEY_FILE))).toBe(false);
    const user = await Caller.of(client, 'user', { sub: kept.user_id });
    await user.did('PUT', `sem/${kept.key}`, { body: { value: `new.${EMAIL}` } });
    expect(await factOf(client, kept)).toMatchObject({ body: { value: `new.${EMAIL}` } });
  });

  it('a restart keeps the keys, and a backup of restored data has them', async () => {
    await service.stop();
    await did(['backup', '--out', at('again')], at('restored'));
    const client = await started(await restored('again', 'restored-again'));
    expect(await factOf(client, kept)).toMatchObject({ body: { value: `new.${EMAIL}` } });
    await service.stop();
  });

  it('a backup of restored data that no service has started on has the keys, too', async () => {
    const dataDir = await restored('first', 'untouched');
    await did(['backup', '--out', at('of-untouched')], dataDir);
    expect(readFileSync(at('of-untouched', 'data', KEY_FILE))).toStrictEqual(
      readFileSync(at('first', 'data', KEY_FILE)),
    );
  });

  it('G6 the erasures of the log destroy keys that an older copy brings back', async () => {
    const client = await started(await restored('second', 'older-keys', 'first'));
    expect(await factOf(client, kept)).toMatchObject({ body: { value: EMAIL } });
    expect(await factOf(client, forgotten)).toMatchObject({ body: { value: { erased: true } } });
    expect(service.stderr).toContain('"type":"erased_keys_destroyed_again","keys":1');
    await service.stop();
  });

  it('the log alone reveals nothing, and still replays and verifies', async () => {
    const dataDir = await restored('first', 'log-alone');
    rmSync(join(dataDir, KEY_FILE));
    const client = await started(dataDir);
    const fact = await factOf(client, kept);
    expect([fact.status, JSON.stringify(fact.body)]).toStrictEqual([
      409,
      expect.not.stringContaining(EMAIL),
    ]);
    const env = { MACE_DATA_DIR: dataDir, PORT: new URL(client.url).port };
    for (const args of [
      ['replay', '--all'],
      ['verify', '--log', '--decisions'],
    ]) {
      const { code, stdout } = await mace(args, env);
      expect([stdout, code]).toStrictEqual([stdout, 0]);
    }
  });
});
