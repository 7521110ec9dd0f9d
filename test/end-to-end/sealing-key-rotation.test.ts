import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { keysOf } from '#platform/config/keys.js';
import { Caller } from '#test/support/caller.js';
import { DataSubject, EMAIL } from '#test/support/data-subject.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { until } from '../faults/support/until.js';

const NEW_KEY = randomBytes(32).toString('base64');

interface Queue {
  readonly entries: readonly { readonly id: string; readonly verified: boolean }[];
}

interface ReadModel {
  readonly name: string;
  readonly rebuilding: boolean;
}

describe('The rotation of MACE_SEALING_KEY (SPEC P5)', () => {
  const folder = temporaryFolder('rotation');
  let service: ServiceProcess;
  let person: DataSubject;
  /** A user of whom nothing is written after the rotation. */
  let silent: DataSubject;
  let user: Caller;
  let agent: Caller;
  let admin: Caller;
  let oldKey: string;

  async function started(environment: Record<string, string>): Promise<void> {
    service = ServiceProcess.spawn(folder.path, environment);
    const client = await service.ready();
    user = await Caller.of(client, 'user', { sub: person.user_id });
    agent = await Caller.of(client, 'agent', { user_id: person.user_id });
    admin = await Caller.of(client, 'admin');
  }
  const silentFact = async () => {
    const itsUser = await Caller.of(await service.ready(), 'user', { sub: silent.user_id });
    return (await itsUser.get<{ value: unknown }>(`sem/${silent.key}`)).value;
  };
  const fact = async () => (await user.get<{ value: unknown }>(`sem/${person.key}`)).value;
  const queue = async () => (await admin.get<Queue>('admin/queue')).entries;

  beforeAll(async () => {
    service = ServiceProcess.spawn(folder.path);
    person = await DataSubject.of(await service.ready(), 'rotation');
    silent = await DataSubject.of(await service.ready(), 'silent');
    oldKey = (await keysOf(folder.path)).sealingKey;
    await service.stop();
    // The log is full, so the write waits in the queue; without an Idempotency-Key, it waits for a person.
    await started({ MACE_EVENTSTORE_QUOTA_BYTES: '0' });
    await user.refused('STORAGE_FULL', 'PUT', `sem/${person.key}`, {
      body: { value: `queued.${EMAIL}` },
    });
    await service.stop();
  });
  afterAll(async () => {
    await service?.stop();
    folder.remove();
  });

  it('without the old key, the service does not start, and says which setting is missing', async () => {
    service = ServiceProcess.spawn(folder.path, { MACE_SEALING_KEY: NEW_KEY });
    expect(await service.exited).toBe(4);
    expect(service.stderr.trim()).toBe(
      'Postgres holds keys of personal data that MACE_SEALING_KEY does not open: set MACE_SEALING_KEYS_OLD to the earlier value of MACE_SEALING_KEY.',
    );
  });

  it('with the old key in MACE_SEALING_KEYS_OLD, personal data, rows and refused writes go on', async () => {
    await started({
      ...{ MACE_SEALING_KEY: NEW_KEY, MACE_SEALING_KEYS_OLD: oldKey },
      MACE_LOG_LEVEL: 'info',
    });
    expect(service.stderr).toContain('"type":"subject_keys_rewrapped","keys":2');
    expect(await fact()).toBe(EMAIL);
    expect(await silentFact()).toBe(EMAIL);
    expect(await agent.get(`jobs/${person.job_seed}`)).toMatchObject({ wm: [{ value: EMAIL }] });
    const [entry] = await queue();
    expect(entry).toMatchObject({ verified: true });
    await admin.post(`admin/queue/${entry?.id}/retry`);
    expect(await fact()).toBe(`queued.${EMAIL}`);
    await user.did('PUT', `sem/${person.key}`, { body: { value: `new.${EMAIL}` } });
    expect(await fact()).toBe(`new.${EMAIL}`);
    expect(service.stderr).not.toContain('row_changed');
    await service.stop();
  });

  it('after a rebuild of the read models, the old key is needed no more', async () => {
    await started({ MACE_SEALING_KEY: NEW_KEY, MACE_SEALING_KEYS_OLD: oldKey });
    const models = async () =>
      (await admin.get<{ projections: ReadModel[] }>('projections')).projections;
    for (const { name } of await models()) await admin.post(`projections/${name}/rebuild`);
    await until('the read models are rebuilt', async () =>
      (await models()).every(({ rebuilding }) => !rebuilding),
    );
    await service.stop();
    await started({ MACE_SEALING_KEY: NEW_KEY });
    expect(await fact()).toBe(`new.${EMAIL}`);
    expect(await silentFact()).toBe(EMAIL);
    await user.did('PUT', `sem/${person.key}`, { body: { value: `last.${EMAIL}` } });
    expect(await fact()).toBe(`last.${EMAIL}`);
  });
});
