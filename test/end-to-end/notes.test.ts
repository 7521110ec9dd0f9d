import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyFile } from '#apps/cli/verify/verify-file.js';
import { MaceClient } from '#client/mace-client.js';
import type { ErrorCode } from '#domain/errors/error-table.js';
import { auditStream } from '#domain/stream-names.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { NoteQueries } from '#projections/notes/queries.js';
import { Postgres } from '#read-model/postgres.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { DataSubject, EMAIL, erased } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import {
  allNotes,
  type History,
  type Note,
  notePath,
  type NotesPage,
  putNote,
} from '#test/support/notes.js';
import { LogReader } from '#test/support/read-log.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { TestService } from '#test/support/service.js';
import { until } from '../faults/support/until.js';
import { verificationFindings } from '#test/support/verification.js';

const names = (notes: readonly Note[]): string[] =>
  notes.map(({ namespace, key }) => [...namespace, key].join('/'));

describe('Notes (SPEC N1, N3)', () => {
  let service: TestService;
  let log: LogReader;
  let made = 0;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  /** Returns an agent without a user, who has no notes. */
  const anAgent = (): Promise<Caller> => {
    made += 1;
    return Caller.of(service, 'agent', { sub: named(`keeper-${made}`) });
  };
  const eventsOf = async (stream: string): Promise<readonly LoggedEvent[]> =>
    (await log.since(undefined)).filter((event) => event.stream === stream);

  describe('A note', () => {
    it('N1 has the value, times and version of its last put, and every event stays readable', async () => {
      const agent = await anAgent();
      const first = await putNote(agent, ['plans'], 'today', { city: 'Oslo' });
      expect(first).toMatchObject({ version: 1, expires_at: null, value: { city: 'Oslo' } });
      const second = await putNote(agent, ['plans'], 'today', 'Rest.');
      const note = await agent.get<Note>(notePath(['plans'], 'today'));
      expect(note).toStrictEqual(second);
      expect(note).toMatchObject({
        namespace: ['plans'],
        key: 'today',
        value: 'Rest.',
        created_at: first.created_at,
        version: 2,
      });
      const removed = await agent.did('DELETE', notePath(['plans'], 'today'));
      expect(removed.body).toStrictEqual({ version: 3 });
      await agent.refused('NOT_FOUND', 'GET', notePath(['plans'], 'today'));
      const again = await putNote(agent, ['plans'], 'today', 1);
      expect(again.version).toBe(4);
      expect(again.created_at >= second.updated_at).toBe(true);
      const history = await agent.post<History>('notes/history', {
        namespace: ['plans'],
        key: 'today',
      });
      expect(history.versions.map(({ version, type, value }) => [version, type, value])).toEqual([
        [1, 'note_put', { city: 'Oslo' }],
        [2, 'note_put', 'Rest.'],
        [3, 'note_deleted', undefined],
        [4, 'note_put', 1],
      ]);
      expect(history).toMatchObject({ stream: note.stream, next_cursor: null });
      const hashes = (await eventsOf(note.stream)).map(({ metadata }) => metadata.hash);
      expect(history.versions.map(({ hash }) => hash)).toStrictEqual(hashes);
    });

    it('X3 can be read as it was at every version', async () => {
      const agent = await anAgent();
      await putNote(agent, ['a'], 'k', 'one');
      await putNote(agent, ['a'], 'k', 'two');
      await agent.did('DELETE', notePath(['a'], 'k'));
      const at = (version: number) =>
        agent.ask<Note>('GET', notePath(['a'], 'k', { version: `${version}` }));
      expect((await at(1)).body).toMatchObject({ value: 'one', version: 1 });
      expect((await at(2)).body).toMatchObject({ value: 'two', version: 2 });
      await agent.refused('NOT_FOUND', 'GET', notePath(['a'], 'k', { version: '3' }));
      await agent.refused('INVALID_INPUT', 'GET', notePath(['a'], 'k', { version: '4' }));
    });

    it('N1 has a stream whose name contains nothing of its owner, namespace or key', async () => {
      const agent = await Caller.of(service, 'agent', { user_id: named('zoe') });
      const { stream } = await putNote(agent, ['zoe', 'plans'], 'today', 1);
      expect(stream).toMatch(/^note-[0-9a-f]{64}$/);
      const other = await putNote(agent, ['zoe'], 'plans', 1);
      expect(other.stream).not.toBe(stream);
    });

    it('N3 changes once if several clients write at the same version', async () => {
      const agent = await anAgent();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, value) =>
          agent.ask('PUT', 'notes', {
            body: { namespace: ['race'], key: 'k', value, if_version: 0 },
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    });

    it('I7 a retry with the same Idempotency-Key gets the first answer, and another note under that key is refused', async () => {
      const agent = await anAgent();
      const body = { namespace: ['once'], key: 'k', value: 'first' };
      const first = await agent.did<Note>('PUT', 'notes', { body, key: 'put-1' });
      await putNote(agent, ['once'], 'k', 'second');
      const again = await agent.did<Note>('PUT', 'notes', { body, key: 'put-1' });
      expect(again.body).toStrictEqual(first.body);
      expect((await agent.get<Note>(notePath(['once'], 'k'))).value).toBe('second');
      await agent.refused('IDEMPOTENCY_MISMATCH', 'PUT', 'notes', {
        body: { ...body, key: 'other' },
        key: 'put-1',
      });
      const removal = () => agent.did('DELETE', notePath(['once'], 'k'), { key: 'delete-1' });
      const removed = await removal();
      await putNote(agent, ['once'], 'k', 'third');
      expect((await removal()).body).toStrictEqual(removed.body);
      expect((await agent.get<Note>(notePath(['once'], 'k'))).value).toBe('third');
      await putNote(agent, ['once'], 'other', 'kept');
      for (const path of [notePath(['once'], 'other'), `${notePath(['once'], 'k')}&if_version=4`])
        await agent.refused('IDEMPOTENCY_MISMATCH', 'DELETE', path, { key: 'delete-1' });
      expect((await agent.get<Note>(notePath(['once'], 'other'))).value).toBe('kept');
    });

    it('N1 is refused beyond the limits of names, values and times to live', async () => {
      const agent = await anAgent();
      const note = { namespace: ['n'], key: 'k', value: 1 };
      for (const wrong of [
        { namespace: [] },
        { key: 'k'.repeat(257) },
        { value: 'x'.repeat(65_536) },
        { value: undefined },
        { ttl_seconds: 0 },
        { ttl_seconds: 1.5 },
        { ttl_seconds: 315_360_001 },
        { if_version: -1 },
        { more: 1 },
      ])
        await agent.refused('INVALID_INPUT', 'PUT', 'notes', { body: { ...note, ...wrong } });
      await putNote(
        agent,
        Array.from({ length: 16 }, () => 'n'.repeat(100)),
        'k'.repeat(256),
        {
          text: 'x'.repeat(65_000),
        },
      );
      await agent.refused('INVALID_INPUT', 'GET', 'notes');
      await agent.refused('INVALID_INPUT', 'GET', 'notes?key=k');
    });
  });

  describe('A list', () => {
    let agent: Caller;
    beforeAll(async () => {
      agent = await anAgent();
      for (const [namespace, key, value] of [
        [['acme'], 'b', { color: 'red', size: 3 }],
        [['acme'], 'a', { color: 'blue', size: 10, tags: ['x'] }],
        [['acme', 'eu'], 'c', { color: 'red', size: null }],
        [['acme', 'eu', 'oslo'], 'd', 'just text'],
        [['acme-corp'], 'e', { color: 'red', size: 3 }],
        [['acme corp'], 'f', { color: 'red', size: 3 }],
        [['Åse', '🙂'], 'g', 7],
      ] as const)
        await putNote(agent, namespace, key, value);
    });
    const listed = async (asked: object) => names(await allNotes(agent, asked));

    it('N1 compares namespaces by whole components: acme never matches acme-corp', async () => {
      expect(await listed({ prefix: ['acme'] })).toStrictEqual([
        'acme/a',
        'acme/b',
        'acme/eu/c',
        'acme/eu/oslo/d',
      ]);
      expect(await listed({ prefix: ['acm'] })).toStrictEqual([]);
      expect(await listed({ prefix: ['acme-corp'] })).toStrictEqual(['acme-corp/e']);
      expect(await listed({ prefix: ['Åse', '🙂'] })).toStrictEqual(['Åse/🙂/g']);
    });

    it('N3 is limited to so many components below the prefix', async () => {
      expect(await listed({ prefix: ['acme'], depth: 0 })).toStrictEqual(['acme/a', 'acme/b']);
      expect(await listed({ prefix: ['acme'], depth: 1 })).toHaveLength(3);
      expect(await listed({ depth: 1 })).toHaveLength(4);
    });

    it('N3 ends a page early if its notes are large, also those that a filter leaves out', async () => {
      const hoarder = await anAgent();
      const owner = `sub:${named(`keeper-${made}`)}`;
      const text = 'x'.repeat(65_000);
      const keys = Array.from({ length: 80 }, (_, place) => `k${String(place).padStart(2, '0')}`);
      await Promise.all(keys.map((key) => putNote(hoarder, ['large', key], key, { text, key })));
      const page = await hoarder.post<NotesPage>('notes/list', { limit: 1_000 });
      expect(page.notes.length).toBeGreaterThan(60);
      expect(page.notes.length).toBeLessThan(70);
      const all = await allNotes(hoarder, { limit: 1_000 });
      expect(all.map(({ key }) => key)).toStrictEqual(keys);
      const filter = { '/key': { eq: 'k79' } };
      const without = await hoarder.post<NotesPage>('notes/list', { limit: 1_000, filter });
      expect(without).toMatchObject({ notes: [], next_cursor: expect.any(String) });
      expect(names(await allNotes(hoarder, { filter }))).toStrictEqual(['large/k79/k79']);
      const { namespaces } = await hoarder.post<{ namespaces: unknown }>('notes/namespaces', {});
      expect(namespaces).toStrictEqual(keys.map((key) => ['large', key]));
      const postgres = new Postgres({ url: service.postgres.url });
      const batch = await new NoteQueries(postgres).list({
        of: { owner, at: new Date().toISOString() },
        ...{ prefix: [], maxLength: 16, after: undefined, limit: 200 },
      });
      expect(batch).toMatchObject({ isFull: true, rows: { length: 17 } });
      await postgres.close();
    });

    it('N3 shows the notes whose fields meet a filter, and refuses what is not a filter or a cursor', async () => {
      const filter = { '/color': { eq: 'red' }, '/size': { gte: 3 } };
      const found = ['acme corp/f', 'acme-corp/e', 'acme/b'];
      expect((await listed({ filter })).toSorted()).toStrictEqual(found);
      const refused = [
        { filter: { '/color': { like: 'r' } } },
        ...['', 'x', Buffer.from('{"namespace":1}').toString('base64url')].map((cursor) => ({
          cursor,
        })),
      ];
      for (const body of refused)
        await agent.refused('INVALID_INPUT', 'POST', 'notes/list', { body });
    });

    it('N3 names the namespaces that have notes, by prefix, suffix and depth', async () => {
      const namespaces = async (asked: object) => {
        const found: string[] = [];
        let cursor: string | null = null;
        do {
          const page: { namespaces: string[][]; next_cursor: string | null } = await agent.post(
            'notes/namespaces',
            { ...asked, ...(cursor === null ? {} : { cursor }) },
          );
          found.push(...page.namespaces.map((namespace) => namespace.join('/')));
          cursor = page.next_cursor;
        } while (cursor !== null);
        return found;
      };
      const all = ['acme', 'acme/eu', 'acme/eu/oslo', 'acme corp', 'acme-corp', 'Åse/🙂'];
      expect((await namespaces({})).toSorted()).toStrictEqual(all.toSorted());
      expect(await namespaces({ limit: 1 })).toStrictEqual(await namespaces({}));
      expect(await namespaces({ prefix: ['acme'] })).toStrictEqual(all.slice(0, 3));
      expect(await namespaces({ prefix: ['acme'], max_depth: 2 })).toStrictEqual(all.slice(0, 2));
      expect(await namespaces({ prefix: ['*', 'eu'] })).toStrictEqual(all.slice(1, 3));
      expect(await namespaces({ suffix: ['oslo'] })).toStrictEqual(['acme/eu/oslo']);
      expect(await namespaces({ prefix: ['acme'], suffix: ['*', 'oslo'] })).toStrictEqual([
        'acme/eu/oslo',
      ]);
    });
  });

  describe('The owner of a note', () => {
    it('I9 is the user of the token, for every agent of that user, or the sub of a token without a user', async () => {
      const user_id = named('rosa');
      const user = await Caller.of(service, 'user', { sub: user_id });
      const helper = await Caller.of(service, 'agent', { sub: named('helper-1'), user_id });
      const other = await Caller.of(service, 'agent', { sub: named('helper-2'), user_id });
      const alone = await Caller.of(service, 'agent', { sub: named('helper-1') });
      await putNote(helper, ['shared'], 'k', 1);
      for (const caller of [user, other])
        expect((await caller.get<Note>(notePath(['shared'], 'k'))).value).toBe(1);
      await alone.refused('NOT_FOUND', 'GET', notePath(['shared'], 'k'));
      expect(await allNotes(alone)).toStrictEqual([]);
      expect(names(await allNotes(user))).toStrictEqual(['shared/k']);
    });

    it('N1 alone writes it; auditors, admins and the council read it', async () => {
      const agent = await anAgent();
      const owner = `sub:${named(`keeper-${made}`)}`;
      const note = { namespace: ['mine'], key: 'k' };
      const written = await agent.did<Note>('PUT', 'notes', { body: { ...note, value: 1 } });
      const { stream } = written.body;
      const after = positionOf(written);
      const stranger = await anAgent();
      const body = { ...note, value: 2, owner };
      await stranger.refused('PERMISSION_DENIED', 'PUT', 'notes', { body });
      await stranger.refused('PERMISSION_DENIED', 'GET', notePath(['mine'], 'k', { owner }));
      await stranger.refused('PERMISSION_DENIED', 'POST', 'notes/list', { body: { owner } });
      await stranger.refused('NOT_FOUND', 'GET', `notes?stream=${stream}`);
      await stranger.refused('NOT_FOUND', 'POST', 'notes/history', { body: { stream } });
      for (const role of ['auditor', 'admin', 'council'] as const) {
        const reader = await Caller.of(service, role);
        expect(await reader.get(notePath(['mine'], 'k', { owner }))).toMatchObject({ value: 1 });
        expect(await reader.get(`notes?stream=${stream}`)).toMatchObject({ value: 1 });
        const listed = await allNotes(reader, { owner }, { after });
        expect(names(listed)).toStrictEqual(['mine/k']);
        await reader.refused('PERMISSION_DENIED', 'PUT', 'notes', { body });
      }
      expect((await agent.get<Note>(notePath(['mine'], 'k', { owner }))).value).toBe(1);
    });
  });

  describe('Personal data in a note', () => {
    it('P3 is sealed in value, namespace and key: the owner gets it back whole, others redacted', async () => {
      const user_id = named('tomas');
      const agent = await Caller.of(service, 'agent', { user_id });
      const namespace = ['people', EMAIL];
      await putNote(agent, namespace, 'mail', { to: EMAIL });
      await putNote(agent, ['people'], EMAIL, 'a friend');
      await putNote(agent, ['people'], 'plain', 'no one');
      expect(await agent.get(notePath(namespace, 'mail'))).toMatchObject({ value: { to: EMAIL } });
      const whole = ['people/plain', `people/${EMAIL}`, `people/${EMAIL}/mail`];
      expect(names(await allNotes(agent)).toSorted()).toStrictEqual(whole.toSorted());
      expect(names(await allNotes(agent, { prefix: namespace }))).toStrictEqual([
        `people/${EMAIL}/mail`,
      ]);
      expect(await allNotes(agent, { prefix: ['people'], depth: 0 })).toHaveLength(2);
      expect(names(await allNotes(agent, { prefix: ['people'], limit: 1 }))).toHaveLength(3);
      const { namespaces } = await agent.post<{ namespaces: string[][] }>('notes/namespaces');
      expect(namespaces).toStrictEqual([['people'], namespace]);

      const auditor = await Caller.of(service, 'auditor');
      const owner = `user:${user_id}`;
      const seen = await allNotes(auditor, { owner });
      expect(JSON.stringify(seen)).not.toContain(EMAIL);
      expect(names(seen).toSorted()).toStrictEqual([
        '[REDACTED:email]/mail',
        'people/[REDACTED:email]',
        'people/plain',
      ]);
      const hidden = seen.find(({ key }) => key === 'mail');
      expect(hidden?.value).toMatchObject({ redacted: true, type: 'email' });
      const history = await auditor.post<History>('notes/history', { stream: hidden?.stream });
      expect(history.versions[0]?.value).toMatchObject({ redacted: true, type: 'email' });
      const admin = await Caller.of(service, 'admin', { sub: named('reader') });
      const opened = `notes?stream=${hidden?.stream}&unredacted=true`;
      expect(await admin.get(opened)).toMatchObject({ value: { to: EMAIL }, namespace });
      const accesses = await eventsOf(auditStream(named('reader')));
      expect(accesses).toMatchObject([
        { type: 'admin_access_event', data: { stream: hidden?.stream, version: 0 } },
      ]);
      await auditor.refused('PERMISSION_DENIED', 'GET', opened);
      for (const { stream, data } of await log.since(undefined))
        if (stream.startsWith('note-')) expect(JSON.stringify(data)).not.toContain(EMAIL);
    });

    it('G6 is erased with its owner: values and names are shown as erased, and the streams replay', async () => {
      const person = await DataSubject.of(service, 'note-keeper');
      await putNote(person.user, ['people', EMAIL], 'mail', EMAIL);
      await putNote(person.user, ['people'], 'plain', 'stays');
      const receipt = await erased(service, person);
      expect(receipt.manifest.streams).toBe(3);
      expect(await person.user.get(notePath(['people', EMAIL], 'mail'))).toMatchObject({
        value: { erased: true },
        namespace: ['[ERASED]'],
      });
      expect(names(await allNotes(person.user))).toStrictEqual(['people/plain', '[ERASED]/mail']);
      await putNote(person.user, ['people', EMAIL], 'mail', EMAIL);
      expect(names(await allNotes(person.user))).toContain(`people/${EMAIL}/mail`);
    });
  });

  describe('A time to live', () => {
    const expired = (stream: string) => async () =>
      (await eventsOf(stream)).some(({ type }) => type === 'note_expired');

    it('N3 ends a note: no read shows it after that, and one event records it', async () => {
      const agent = await anAgent();
      const kept = await putNote(agent, ['t'], 'kept', 1, { ttl_seconds: 3_600 });
      expect(Date.parse(kept.expires_at ?? '') - Date.parse(kept.updated_at)).toBe(3_600_000);
      const { stream, expires_at } = await putNote(agent, ['t'], 'brief', 1, { ttl_seconds: 1 });
      await until('the note has expired', () =>
        Promise.resolve(new Date().toISOString() > (expires_at ?? '')),
      );
      await agent.refused('NOT_FOUND', 'GET', notePath(['t'], 'brief'));
      expect(names(await allNotes(agent))).toStrictEqual(['t/kept']);
      await until('the expiry is recorded', expired(stream));
      const types = (await eventsOf(stream)).map(({ type }) => type);
      expect(types).toStrictEqual(['note_put', 'note_expired']);
      await agent.refused('NOT_FOUND', 'DELETE', notePath(['t'], 'brief'));
      const again = await putNote(agent, ['t'], 'brief', 2);
      expect(again).toMatchObject({ version: 3, expires_at: null });
      expect(await agent.get(notePath(['t'], 'brief', { version: '1' }))).toMatchObject({
        value: 1,
      });
    });
  });

  describe('A recorded note', () => {
    it('X1 X4 replays identical and exports as a bundle that verifies offline', async () => {
      const token = await service.token('agent', { sub: named('exporter') });
      const mace = new MaceClient({ baseUrl: service.url, token });
      const name = { namespace: ['bundle', EMAIL], key: 'k' };
      await mace.notes.put(name.namespace, name.key, { mail: EMAIL });
      await mace.notes.put(name.namespace, name.key, 'second');
      await mace.notes.delete(name.namespace, name.key);
      const report = await mace.notes.replay(name, 'strict');
      expect(report).toMatchObject({ identical: true, events_checked: 3 });
      const lines: string[] = [];
      for await (const line of mace.notes.bundle(name)) lines.push(`${line}\n`);
      const text = lines.join('');
      expect(text).not.toContain(EMAIL);
      const folder = temporaryFolder('note-bundle');
      const [intact, edited] = [join(folder.path, 'intact'), join(folder.path, 'edited')];
      writeFileSync(intact, text);
      writeFileSync(edited, text.replace('"value":"second"', '"value":"other"'));
      expect(await verifyFile(intact)).toMatchObject({ intact: true, events: 3 });
      expect(await verifyFile(edited)).toMatchObject({ finding: { problem: 'edited', number: 1 } });
      folder.remove();
      const stranger = await anAgent();
      await stranger.refused(
        'NOT_FOUND',
        'GET',
        notePath(name.namespace, 'k').replace('?', '/bundle?'),
      );
      await stranger.refused('NOT_FOUND', 'POST', 'notes/replays', { body: name });
      const auditor = await Caller.of(service, 'auditor');
      expect(await auditor.post('notes/replays', { stream: report.stream })).toStrictEqual({
        ...report,
        mode: 'audit',
      });
    });

    it('N2 is evidence of a proposal, by its version and the hash of that event', async () => {
      const agent = await anAgent();
      const job_seed = named('cites');
      await agent.post('jobs', { job_seed });
      const { episodic_id } = await agent.post(`jobs/${job_seed}/episodes`, { summary: 'Seen' });
      const { stream } = await putNote(agent, ['seen'], 'sky', 'It was blue.');
      await putNote(agent, ['seen'], 'sky', 'It was grey.');
      const proposal = {
        episodic_id,
        target_sem_key: `world/sky/${named('sky')}/colour`,
        value: 'blue',
        justification: 'I wrote it down.',
      };
      const cite = (note: object) => ({ ...proposal, evidence: [{ note, page: 1 }] });
      const body = cite({ namespace: ['seen'], key: 'sky', version: 1 });
      const { request_id } = await agent.post<{ request_id: string }>('action-requests', body);
      const [first] = await eventsOf(stream);
      const council = await Caller.of(service, 'council');
      const seen = await council.get<{ evidence: object[] }>(`action-requests/${request_id}`);
      const cited = { stream, version: 1, hash: first?.metadata.hash };
      expect(seen.evidence).toStrictEqual([{ note: cited, page: 1 }]);
      expect(await council.get(`notes?stream=${stream}&version=1`)).toMatchObject({
        value: 'It was blue.',
      });
      const { request_id: latest } = await agent.post<{ request_id: string }>(
        'action-requests',
        cite({ stream }),
      );
      expect(await council.get(`action-requests/${latest}`)).toMatchObject({
        evidence: [{ note: { version: 2 } }],
      });
      const refused = (code: ErrorCode, note: object) =>
        agent.refused(code, 'POST', 'action-requests', { body: cite(note) });
      await refused('INVALID_INPUT', { stream, version: 3 });
      await refused('INVALID_INPUT', { stream, version: 0 });
      await refused('INVALID_INPUT', { namespace: 'seen', key: 'sky' });
      await refused('INVALID_INPUT', { stream, more: 1 });
      await refused('NOT_FOUND', { namespace: ['seen'], key: 'nothing' });
      const stranger = await putNote(await anAgent(), ['seen'], 'sky', 'Not yours.');
      await refused('NOT_FOUND', { stream: stranger.stream });
      await agent.post('action-requests', cite({ text: 'a note of another kind' }));
    });

    it('the SDK puts, gets, lists and deletes notes', async () => {
      const token = await service.token('agent', { sub: named('sdk') });
      const { notes } = new MaceClient({ baseUrl: service.url, token });
      expect(await notes.get(['s'], 'k')).toBeUndefined();
      expect(await notes.delete(['s'], 'k')).toBeUndefined();
      expect(await notes.history({ namespace: ['s'], key: 'k' })).toBeUndefined();
      const put = await notes.put(['s'], 'k', { a: 1 }, { ifVersion: 0, ttlSeconds: 600 });
      expect(await notes.get(['s'], 'k')).toStrictEqual(put);
      await expect(notes.put(['s'], 'k', 2, { ifVersion: 0 })).rejects.toMatchObject({
        code: 'VERSION_CONFLICT',
      });
      await notes.put(['s', 't'], 'l', [2]);
      const keys: string[] = [];
      for await (const { key } of notes.all({ prefix: ['s'], limit: 1 })) keys.push(key);
      expect(keys).toStrictEqual(['k', 'l']);
      expect((await notes.list({ filter: { '/a': { eq: 1 } } })).notes).toStrictEqual([put]);
      expect((await notes.namespaces({ max_depth: 1 })).namespaces).toStrictEqual([['s']]);
      expect(await notes.delete(['s'], 'k', { ifVersion: 1 })).toStrictEqual({ version: 2 });
      const history = await notes.history({ namespace: ['s'], key: 'k' });
      expect(history?.versions.map(({ type }) => type)).toStrictEqual(['note_put', 'note_deleted']);
      expect(await notes.get(['s'], 'k', { version: 1 })).toStrictEqual(put);
    });
  });

  it('X1 every note replays identical', async () => {
    const findings = await verificationFindings(service);
    expect(findings.filter(({ stream }) => stream.startsWith('note-'))).toStrictEqual([]);
  });
});
