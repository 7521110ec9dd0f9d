import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dossier } from '#client/action-requests.js';
import { MaceClient } from '#client/mace-client.js';
import type { ApprovedBy, FactHistory } from '#client/sem.js';
import type { Why } from '#client/why.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

interface Proposed {
  readonly request_id: string;
  readonly proposal_hash: string;
}
interface Found {
  readonly hits: readonly {
    readonly id: string;
    readonly explanation: { readonly approved_by?: ApprovedBy | null };
  }[];
}

describe('Who approved a fact', () => {
  let service: TestService;
  let agent: Caller;
  let admin: Caller;
  let auditor: Caller;
  let user: Caller;
  let ann: Caller;
  let episodic_id: unknown;
  const keyOf = (name: string) => `world/${named('approved')}/${name}/depth`;

  beforeAll(async () => {
    service = await TestService.shared();
    agent = await Caller.of(service, 'agent', { sub: named('agent') });
    admin = await Caller.of(service, 'admin', { sub: named('admin') });
    auditor = await Caller.of(service, 'auditor');
    user = await Caller.of(service, 'user', { sub: named('reader') });
    ann = await Caller.of(service, 'council', { sub: named('ann') });
    await agent.post('jobs', { job_seed: named('job') });
    ({ episodic_id } = await agent.post(`jobs/${named('job')}/episodes`, { summary: 'Seen.' }));
  });
  afterAll(() => service?.stop());

  const propose = (key: string, value: unknown) =>
    agent.post<Proposed>('action-requests', {
      ...{ episodic_id, target_sem_key: key, value, justification: 'The pilot said so.' },
    });
  const approve = ({ request_id, proposal_hash }: Proposed) =>
    ann.post<{ status: string; decided_at: string }>(`action-requests/${request_id}/votes`, {
      ...{ vote: 'approve', reason: 'It is right.', proposal_hash },
    });
  const put = (key: string, body: object) => admin.did('PUT', `sem/${key}`, { body });

  /** The answers of the places that show who approved a fact, as a caller gets them. */
  async function shownTo(caller: Caller, key: string, word: string) {
    const { approved_by: read } = await caller.get<{ approved_by?: ApprovedBy | null }>(
      `sem/${key}`,
    );
    const { events } = await caller.get<FactHistory>(`sem/${key}/history`);
    const { approved_by: why } = await caller.get<Why>(`why?kind=fact&id=${key}`);
    const { hits } = await caller.post<Found>('search', {
      ...{ query: word, kinds: ['fact'], explain: true },
    });
    const hit = hits.find(({ id }) => id === key)?.explanation.approved_by;
    return { read, history: events.map(({ approved_by }) => approved_by), why, hit };
  }

  it('is in the fact, its history, its origin, an explained hit and the dossier, with names for those who oversee', async () => {
    const key = keyOf('harbour');
    const word = named('fathoms');
    const request = await propose(key, word);
    const { decided_at } = await approve(request);
    const shared = { request_id: request.request_id, decided_at, approvals: 1 };
    const withNames = { ...shared, voters: [{ sub: named('ann'), at: decided_at }] };
    for (const reader of [auditor, admin, ann])
      expect(await shownTo(reader, key, word)).toStrictEqual({
        ...{ read: withNames, history: [withNames], why: withNames, hit: withNames },
      });
    for (const reader of [user, agent])
      expect(await shownTo(reader, key, word)).toStrictEqual({
        ...{ read: shared, history: [shared], why: shared, hit: shared },
      });
    const next = await propose(key, 'another depth');
    const dossier = await auditor.get<Dossier>(`action-requests/${next.request_id}/dossier`);
    expect(dossier.present_fact?.approved_by).toStrictEqual(withNames);
    expect(dossier.fact_at_proposal?.approved_by).toStrictEqual(withNames);
    const mace = new MaceClient({ baseUrl: service.url, token: user.token });
    expect(await mace.sem.get(key)).toMatchObject({ approved_by: shared });
  });

  it('stays with the write: a version keeps it, and a later write without effect does not take it away', async () => {
    const key = keyOf('quay');
    await put(key, { value: 'before' });
    const request = await propose(key, 'approved');
    await approve(request);
    await put(key, { value: 'late', timestamp: '2020-01-01T00:00:00.000Z' });
    const { request_id } = request;
    expect(await user.get(`sem/${key}`)).toMatchObject({
      ...{ value: 'approved', version: 2, approved_by: { request_id } },
    });
    expect(await user.get(`sem/${key}?version=1`)).toMatchObject({ approved_by: { request_id } });
    expect(await user.get(`sem/${key}?version=0`)).not.toHaveProperty('approved_by');
  });

  it('is nobody for a direct write that claims a request in its metadata', async () => {
    const key = keyOf('forged');
    const word = named('forgery');
    const request = await propose(key, 'approved');
    await approve(request);
    await put(key, { value: word, meta: { provenance_id: request.request_id } });
    const { read, history, why, hit } = await shownTo(auditor, key, word);
    expect([read, why, hit]).toStrictEqual([undefined, null, null]);
    expect(history.map((approved) => approved?.request_id ?? null)).toStrictEqual([
      ...[null, request.request_id],
    ]);
  });

  it('is nobody for a direct write that claims the request whose own write it supersedes', async () => {
    const key = keyOf('ahead');
    const request = await propose(key, 'approved');
    await put(key, {
      value: 'forged',
      timestamp: new Date(Date.now() + 240_000).toISOString(),
      meta: { provenance_id: request.request_id },
    });
    expect((await approve(request)).status).toBe('execution_refused');
    const forged = await auditor.get(`sem/${key}`);
    expect(forged).toMatchObject({ value: 'forged', version: 1 });
    expect(forged).not.toHaveProperty('approved_by');
    const next = await propose(key, 'next');
    const dossier = await auditor.get<Dossier>(`action-requests/${next.request_id}/dossier`);
    expect(dossier.present_fact?.approved_by).toBeNull();
  });
});
