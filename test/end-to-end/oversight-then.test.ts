import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LoggedEvent } from '#event-store/event-store.js';
import { auditStream, consentStream, jobStream } from '#domain/stream-names.js';
import { until } from '#test/faults/support/until.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

interface Consent {
  readonly consent_id: string;
  readonly revoked_at: string | null;
  readonly sensitive_data_approved: boolean;
}

type Fields = Readonly<Record<string, string>>;

const OPERATION = fc.record({
  op: fc.constantFrom('give', 'give', 'revoke', 'approve', 'read', 'begin'),
  person: fc.constantFrom(0, 1),
  which: fc.nat(),
});
/** Every operation once, whatever is drawn. */
const EACH = ['give', 'approve', 'begin', 'read', 'revoke'].map((op) => ({
  ...{ op, person: 0, which: 0 },
}));
const READER = named('reader');

/** Somebody whose data the test writes and reads. */
class Person {
  readonly seeds: string[] = [];
  readonly consents: string[] = [];
  private constructor(
    readonly name: string,
    readonly caller: Caller,
    readonly agent: Caller,
  ) {}

  static async of(service: TestService, name: string): Promise<Person> {
    const caller = await Caller.of(service, 'user', { sub: name, user_id: name });
    return new Person(name, caller, await Caller.of(service, 'agent', { user_id: name }));
  }
}

describe('Consents and unredacted reads as they were (W5)', () => {
  let service: TestService;
  let log: LogReader;
  let council: Caller;
  let auditor: Caller;
  let admin: Caller;
  let persons: readonly Person[];

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    log = new LogReader(service.eventStore.url);
    [council, auditor, admin] = await Promise.all([
      Caller.of(service, 'council', { sub: READER }),
      Caller.of(service, 'auditor'),
      Caller.of(service, 'admin'),
    ]);
    persons = [
      await Person.of(service, named('ada').toLowerCase()),
      await Person.of(service, named('ben').toLowerCase()),
    ];
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const chosen = (from: readonly string[], which: number): string | undefined =>
    from[which % Math.max(1, from.length)];

  async function begin({ seeds, agent }: Person): Promise<void> {
    const job_seed = named(`job-${persons.flatMap((one) => one.seeds).length}`);
    await agent.post('jobs', { job_seed });
    seeds.push(job_seed);
  }

  async function act({ op, person, which }: { op: string; person: number; which: number }) {
    const who = persons[person]!;
    const { caller, consents, seeds } = who;
    const consent_id = chosen(consents, which);
    if (op === 'begin' || (op === 'read' && seeds.length === 0)) return begin(who);
    if (op === 'read') return council.get(`jobs/${chosen(seeds, which)}?unredacted=true`);
    if (op === 'give' || consent_id === undefined) {
      const given = await caller.post<Fields>('consents', { text: 'Keep.', scope: 'persistent' });
      consents.push(given['consent_id']!);
      return undefined;
    }
    if (op === 'revoke') return caller.post(`consents/${consent_id}/revocation`);
    // A consent that is revoked or approved cannot be approved any more.
    const asked = await caller.ask<Fields>('POST', 'action-requests', {
      body: { kind: 'sensitive_consent', consent_id, justification: 'For the refund.' },
    });
    if (asked.status !== 201) return undefined;
    const { request_id, proposal_hash } = asked.body;
    return council.post(`action-requests/${request_id}/votes`, {
      ...{ vote: 'approve', reason: 'It is needed.', proposal_hash },
    });
  }

  /** Folds the log up to a position: the consents of a person, in the order in which they were given. */
  function consentsIn(events: readonly LoggedEvent[], person: Person): readonly Consent[] {
    const found = new Map<string, Consent>();
    for (const { stream, type, data } of events) {
      if (stream !== consentStream(person.name)) continue;
      const { consent_id, revoked_at } = data as Fields;
      const before = found.get(consent_id!);
      if (type === 'consent_given')
        found.set(consent_id!, {
          ...{ consent_id: consent_id!, revoked_at: null, sensitive_data_approved: false },
        });
      if (type === 'consent_revoked')
        found.set(consent_id!, { ...before!, revoked_at: revoked_at! });
      if (type === 'sensitive_consent_approved')
        found.set(consent_id!, { ...before!, sensitive_data_approved: true });
    }
    return [...found.values()];
  }

  const readsIn = (events: readonly LoggedEvent[], person: Person): readonly string[] =>
    events
      .filter(({ stream, type }) => stream === auditStream(READER) && type === 'admin_access_event')
      .filter(({ data }) => person.seeds.some((seed) => jobStream(seed) === data['stream']))
      .map(({ position }) => position.toString());

  const shown = (consents: readonly Consent[]): readonly Consent[] =>
    consents.map(({ consent_id, revoked_at, sensitive_data_approved }) => ({
      ...{ consent_id, revoked_at, sensitive_data_approved },
    }));

  /** Reads a list in pages of two. */
  async function paged<Row>(path: string, name: string): Promise<readonly Row[]> {
    const rows: Row[] = [];
    let cursor: unknown = '';
    while (typeof cursor === 'string') {
      const page: Record<string, unknown> = await auditor.get(
        `oversight/${path}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      rows.push(...(page[name] as readonly Row[]));
      cursor = page['next_cursor'];
    }
    return rows;
  }

  /** Compares what is answered of each position with a fold of the log. */
  async function compare(after: bigint | undefined): Promise<void> {
    const events = await log.since(undefined);
    for (const { stream, position } of events) {
      if (after !== undefined && position <= after) continue;
      if (!/^(?:consent|audit|job|request)-/.test(stream)) continue;
      const then = events.filter((event) => event.position <= position);
      for (const person of persons) {
        const at = `user_id=${person.name}&at=${position}`;
        const consents = consentsIn(then, person);
        const newest = consents.toReversed();
        expect(shown(await paged<Consent>(`consents?${at}`, 'consents'))).toStrictEqual(newest);
        const given = await paged<Consent>(`consents?status=given&${at}`, 'consents');
        expect(shown(given)).toStrictEqual(newest.filter(({ revoked_at }) => revoked_at === null));
        const own = await person.caller.get<{ consents: Consent[] }>(`consents?at=${position}`);
        expect(shown(own.consents)).toStrictEqual(consents);
        const reads = await paged<{ event: { position: string } }>(`accesses?${at}`, 'accesses');
        expect(reads.map(({ event }) => event.position)).toStrictEqual(
          readsIn(then, person).toReversed(),
        );
      }
    }
  }

  it('are what a fold of the log gives at each position, also after a rebuild', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(OPERATION, { minLength: 4, maxLength: 8 }), async (operations) => {
        const after = await log.position();
        for (const operation of operations) await act(operation);
        await compare(after);
      }),
      { numRuns: 4, endOnFailure: true, examples: [[EACH]] },
    );
    const types = new Set((await log.since(undefined)).map(({ type }) => type));
    for (const type of ['consent_revoked', 'sensitive_consent_approved', 'admin_access_event'])
      expect(types).toContain(type);
    await admin.did('POST', 'projections/oversight/rebuild', { body: {} });
    await until('the read model is rebuilt', async () => {
      const { projections } = await admin.get<{
        projections: { name: string; rebuilding: boolean; differences: unknown[] }[];
      }>('projections');
      const { rebuilding, differences } = projections.find(({ name }) => name === 'oversight')!;
      expect(differences).toStrictEqual([]);
      return !rebuilding;
    });
    await compare(undefined);
  });

  it('are of no time before the log began, nor of the future, and the answer says its position', async () => {
    for (const path of ['oversight/accesses', 'oversight/consents'])
      for (const at of ['2020-01-01T00:00:00Z', new Date(Date.now() + 60_000).toISOString()])
        await auditor.refused('INVALID_INPUT', 'GET', `${path}?at=${at}`);
    const at = (await log.position())!.toString();
    for (const path of ['oversight/accesses', 'oversight/consents'])
      expect((await auditor.did('GET', `${path}?at=${at}`)).headers.get('mace-as-of')).toBe(at);
    const own = await persons[0]!.caller.did('GET', `consents?at=${at}`);
    expect(own.headers.get('mace-as-of')).toBe(at);
  });
});
