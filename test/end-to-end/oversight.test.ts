import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MaceClient } from '#client/index.js';
import { readReceipt } from '#domain/replay/receipt.js';
import { auditStream } from '#domain/stream-names.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { signatureProblem } from '#platform/signing/bundle-signature.js';
import type { Role } from '#platform/auth/roles.js';

const EMAIL = 'jana.horvat@siol.test';

describe('Oversight', () => {
  let service: TestService;
  let auditor: MaceClient;
  let admin: MaceClient;
  const reader = named('oversight-council');
  const user = named('oversight-user').toLowerCase();
  const job = named('oversight-job');

  const clientOf = async (role: Role, sub = named(`oversight-${role}`)): Promise<MaceClient> =>
    new MaceClient({ baseUrl: service.url, token: await service.token(role, { sub }) });

  beforeAll(async () => {
    service = await TestService.shared();
    auditor = await clientOf('auditor');
    admin = await clientOf('admin');
    const agent = await Caller.of(service, 'agent', { user_id: user });
    await agent.post('jobs', { job_seed: job });
    await agent.post(`jobs/${job}/wm`, { type: 'fact', value: EMAIL });
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('lists who read which personal data, with the event as a receipt (SPEC G7)', async () => {
    const council = await Caller.of(service, 'council', { sub: reader });
    await council.get(`jobs/${job}?unredacted=true`);
    await council.get(`jobs/${job}?unredacted=true&version=1`);
    const { accesses, next_cursor } = await auditor.oversight.accesses({ sub: reader, limit: 1 });
    expect(accesses).toMatchObject([
      { sub: reader, stream: `job-${job}`, version: 1, event: { stream: auditStream(reader) } },
    ]);
    expect(accesses[0]?.event.hash).toMatch(/^[0-9a-f]{64}$/);
    const rest = await auditor.oversight.accesses({ sub: reader, cursor: next_cursor ?? '' });
    expect(rest).toMatchObject({ accesses: [{ version: null, reason: null }], next_cursor: null });
    const ofStream = await auditor.oversight.accesses({ stream: `job-${job}` });
    expect(ofStream.accesses).toHaveLength(2);
    expect(JSON.stringify(ofStream)).not.toContain(EMAIL);
  });

  it('gives the event of a read as a signed receipt, and of nothing else (SPEC G7)', async () => {
    const [access] = (await auditor.oversight.accesses({ sub: reader, limit: 1 })).accesses;
    const { stream, number, position, hash } = access!.event;
    const receipt = await auditor.oversight.accessReceipt(position);
    expect(receipt).toMatchObject({
      document: 'mace-receipt-2',
      event: { stream, number, position, metadata: { hash, actor: reader } },
    });
    const { problem } = readReceipt(JSON.stringify(receipt));
    expect([problem, await signatureProblem(receipt)]).toStrictEqual([undefined, undefined]);
    for (const other of [service.lastWrite.toString(), '1', '999999999999999999'])
      await expect(auditor.oversight.accessReceipt(other)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    await expect((await clientOf('agent')).oversight.accessReceipt(position)).rejects.toMatchObject(
      { code: 'PERMISSION_DENIED' },
    );
  });

  it('lists the refused commands of a caller (SPEC I1)', async () => {
    const sub = named('oversight-refused');
    const refused = await Caller.of(service, 'agent', { sub });
    await refused.refused('PERMISSION_DENIED', 'POST', `jobs/${job}/ticks`, { body: {} });
    const { refusals } = await auditor.oversight.refusals({ sub });
    expect(refusals).toMatchObject([
      { sub, code: 'PERMISSION_DENIED', route: 'POST /v1/jobs/:seed/ticks', uncounted_before: 0 },
    ]);
    const council = await clientOf('council');
    await expect(council.oversight.refusals()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('lists the consents of all users, and shows a revocation (SPEC P4)', async () => {
    const person = await Caller.of(service, 'user', { sub: user, user_id: user });
    const given = await person.post<{ consent_id: string }>('consents', {
      text: 'Keep what I say.',
      scope: 'persistent',
    });
    const council = await clientOf('council');
    const asked = { user_id: user.toUpperCase() };
    expect((await council.oversight.consents(asked)).consents).toMatchObject([
      { ...given, user_id: user, revoked_at: null, sensitive_data_approved: false },
    ]);
    await person.post(`consents/${given.consent_id}/revocation`);
    const [revoked] = (await auditor.oversight.consents({ ...asked, status: 'revoked' })).consents;
    expect(revoked?.revoked_at).toMatch(/^\d{4}-/);
    expect((await auditor.oversight.consents({ ...asked, status: 'given' })).consents).toEqual([]);
    await expect((await clientOf('user')).oversight.consents()).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('keeps the figures of past verifications, the newest first', async () => {
    await auditor.integrity.verify();
    const { finished_at } = await auditor.integrity.verify({ decisions: true });
    const [last, before] = await auditor.integrity.runs();
    expect(last).toMatchObject({ decisions: true, finished_at });
    expect(before).toMatchObject({ decisions: false });
    expect(last).not.toHaveProperty('findings');
  });

  it('shows auditors the checks of the service, the room of the log and the read models', async () => {
    const { ready, checks, storage } = await auditor.admin.status();
    expect(ready).toBe(true);
    expect(checks).toContainEqual({ name: 'postgres', status: 'up', reason: null });
    expect(storage).toMatchObject({ full_since: null });
    const { projections, log_end } = await auditor.projections.list();
    expect(log_end).toMatch(/^\d+$/);
    const own = projections.find(({ name }) => name === 'oversight');
    expect(own).toMatchObject({ stopped: null, filling: false, rebuilding: false });
    expect([own?.rebuilt_to, own?.leader]).toStrictEqual([null, expect.stringContaining(':')]);
    await expect(auditor.projections.rebuild('oversight')).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('lets admins, and nobody else, remove a waiting write', async () => {
    const id = '00000000-0000-5000-8000-000000000001';
    await expect(auditor.admin.queue.remove(id)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(admin.admin.queue.remove(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
