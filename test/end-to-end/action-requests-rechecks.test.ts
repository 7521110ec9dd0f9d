import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '#client/api.js';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { Writes } from '#test/support/writes.js';

type Schemas = components['schemas'];
interface Request {
  readonly request_id: string;
  readonly proposal_hash: string;
  readonly target_sem_key: string;
}

describe('Waiting requests are checked again', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let admin: Caller;
  let ann: Caller;
  let episodic_id: string;
  const prefix = `world/recheck/${named('r')}`;
  /** One of each: unchanged, changed, with a later write, without consent, with missing evidence. */
  let requests: readonly Request[];

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent', { sub: named('proposer') });
    admin = await Caller.of(service, 'admin');
    ann = await Caller.of(service, 'council', { sub: named('ann') });
    await agent.post('jobs', { job_seed: named('recheck') });
    ({ episodic_id } = await agent.post<{ episodic_id: string }>(
      `jobs/${named('recheck')}/episodes`,
      { summary: 'Seen.' },
    ));
    const user_id = named('mira');
    const bot = await Caller.of(service, 'agent', { sub: named('bot'), user_id });
    await bot.post('jobs', { job_seed: named('of-mira') });
    const of = await bot.post(`jobs/${named('of-mira')}/episodes`, { summary: 'Seen.' });
    const later = new Date(Date.now() + 4 * 60_000).toISOString();
    const [same, changed, late, missing] = [
      await propose('same'),
      await propose('changed'),
      await propose('late'),
      await propose('missing', { evidence: [{ stream: 'job-none', number: 0 }] }),
    ];
    const sealed = await propose(
      'sealed',
      {
        ...{ episodic_id: of['episodic_id'], value: 'mira@example.com' },
        target_sem_key: `user/profile/user_${named('mira')}/email`,
      },
      bot,
    );
    await writes.did(admin, 'PUT', `sem/${changed.target_sem_key}`, { value: 'grey' });
    await writes.did(admin, 'PUT', `sem/${late.target_sem_key}`, {
      value: 'grey',
      timestamp: later,
    });
    requests = [same, changed, late, sealed, missing];
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const writes = new Writes();
  const propose = (name: string, more: object = {}, by = agent): Promise<Request> =>
    writes.did<Request>(by, 'POST', 'action-requests', {
      ...{ episodic_id, target_sem_key: `${prefix}-${name}/color`, value: 'blue' },
      ...{ justification: 'It was said.', evidence: [{ episodic_id }], ...more },
    });
  const recheck = async (ids: readonly string[], by = ann) =>
    (
      await by.post<Schemas['RechecksDto']>(
        'action-requests/rechecks',
        { request_ids: ids },
        { after: writes.after },
      )
    ).results;
  const list = async (query: string) => {
    const found: string[] = [];
    let cursor = '';
    do {
      const path = `action-requests?key_prefix=${prefix}&${query}${cursor}`;
      const page = await ann.get<Schemas['ActionRequestsPageDto']>(path, { after: writes.after });
      found.push(...page.action_requests.map(({ request_id }) => request_id));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    return found;
  };
  const idsOf = (...indexes: readonly number[]) => indexes.map((at) => requests[at]!.request_id);

  it('many at once, with the findings of their dossiers, in the order of the ids', async () => {
    const ids = requests.map(({ request_id }) => request_id);
    const results = await recheck([...ids, 'none']);
    expect(results.map(({ request_id }) => request_id)).toStrictEqual([...ids, 'none']);
    const codes = results.map((one) => one.recheck?.map(({ code }) => code));
    expect(codes).toStrictEqual([
      ...[[], ['fact_appeared'], ['fact_appeared', 'would_be_superseded']],
      ...[['consent_missing'], ['evidence_missing'], undefined],
    ]);
    expect(results.map(({ would_be_refused }) => would_be_refused)).toStrictEqual([
      ...[false, false, true, true, false, false],
    ]);
    for (const [index, { request_id }] of requests.entries()) {
      const path = `action-requests/${request_id}/dossier`;
      const dossier = await ann.get<Schemas['DossierDto']>(path, { after: writes.after });
      expect(results[index]?.recheck).toStrictEqual(dossier.recheck);
    }
    expect(await log.types(`request-${ids[0]}`)).toHaveLength(2);
  });

  it('P4 a consent that is given or revoked later counts at once', async () => {
    const mira = await Caller.of(service, 'user', { sub: named('mira-1'), user_id: named('mira') });
    const consent = { text: 'Keep it.', scope: 'persistent' };
    const { consent_id } = await writes.did<{ consent_id: string }>(
      mira,
      'POST',
      'consents',
      consent,
    );
    expect((await recheck(idsOf(3)))[0]?.recheck).toStrictEqual([]);
    await writes.did(mira, 'POST', `consents/${consent_id}/revocation`, {});
    expect((await recheck(idsOf(3)))[0]).toMatchObject({
      ...{ would_be_refused: true, recheck: [{ code: 'consent_revoked' }] },
    });
  });

  it('several requests for one key are each compared with the fact at their own time', async () => {
    const { target_sem_key } = requests[1]!;
    const second = await propose('again', { target_sem_key });
    const results = await recheck([requests[1]!.request_id, second.request_id]);
    expect(results.map((one) => one.recheck?.map(({ code }) => code))).toStrictEqual([
      ...[['fact_appeared'], []],
    ]);
    await writes.did(ann, 'POST', `action-requests/${second.request_id}/votes`, {
      ...{ vote: 'reject', reason: 'Stale.', proposal_hash: second.proposal_hash },
    });
    expect((await recheck([second.request_id]))[0]).toMatchObject({ recheck: null });
  });

  it('the list shows only those that would be refused, or leaves them out, page by page', async () => {
    for (const limit of ['', '&limit=1', '&limit=2']) {
      expect(await list(`would_be_refused=true${limit}`)).toStrictEqual(idsOf(2));
      expect(await list(`would_be_refused=false${limit}&order=deadline`)).toStrictEqual(
        idsOf(0, 1, 4),
      );
    }
    await ann.refused(
      'INVALID_INPUT',
      'GET',
      'action-requests?would_be_refused=true&status=expired',
    );
  });

  it('is for the council, admins and auditors, and for at most 100 requests', async () => {
    const auditor = await Caller.of(service, 'auditor');
    expect(await recheck(idsOf(2), auditor)).toMatchObject([{ would_be_refused: true }]);
    const body = { request_ids: idsOf(2) };
    await agent.refused('PERMISSION_DENIED', 'POST', 'action-requests/rechecks', { body });
    await agent.refused('PERMISSION_DENIED', 'GET', 'action-requests?would_be_refused=false');
    const many = { request_ids: Array.from({ length: 101 }, (_, index) => `r${index}`) };
    await ann.refused('INVALID_INPUT', 'POST', 'action-requests/rechecks', { body: many });
  });
});
