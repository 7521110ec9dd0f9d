import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import type { ConsentEvent } from '#domain/consent/events.js';
import { type NoteCommand, noteDecider } from '#domain/note/note.decider.js';
import { NOTE } from '#projections/notes/notes.projection.js';
import { CONSENT } from '#projections/oversight/oversight.projection.js';
import { WITHHELD } from '#projections/episodes/tables.js';
import { playFor } from './given.js';
import { givenRowsFor, loggedIn, rowsOf } from './rows.js';

const STREAM = `note-${'0'.repeat(64)}`;
const second = (n: number): string => `2026-01-01T00:00:${String(n).padStart(2, '0')}.000Z`;
const put = (value: string | { jwe: string; type: string }) => ({
  type: 'note_put',
  data: {
    ...{ owner: 'user:mira', namespace: ['plans'], key: 'today', ttl_seconds: 5 },
    ...(typeof value === 'string' ? { value } : { sealed: value }),
    ...{ created_at: second(1), updated_at: second(2), expires_at: second(7) },
  },
});

describe('The row of a note', () => {
  const given = givenRowsFor(NOTE, STREAM);
  const row = {
    ...{ stream: STREAM, owner: 'user:mira', namespace: ['plans'], sealed_namespace: null },
    ...{ key: 'today', sealed_key: null, created_at: second(1), updated_at: second(2) },
  };

  it('has the value of the last put, and its version is the number of the events', () =>
    given(put('rest'), put('run')).rows({
      ...row,
      ...{ held: '"run"', is_sealed: false, expires_at: second(7), version: 2, is_current: true },
    }));

  it('has the sealed form of a sealed value', () =>
    given(put({ jwe: 'a.b.c', type: 'email' })).rows({
      ...row,
      held: '{"jwe":"a.b.c","type":"email"}',
      ...{ is_sealed: true, expires_at: second(7), version: 1, is_current: true },
    }));

  it('loses its value with the deletion, and keeps its name and its version', () =>
    given(put('rest'), { type: 'note_deleted', data: { at: second(3) } }).rows({
      ...row,
      ...{ held: null, is_sealed: false, expires_at: null, version: 2, is_current: false },
    }));
});

const GIVEN: ConsentEvent = {
  type: 'consent_given',
  data: {
    ...{ consent_id: 'c-1', user_id: 'user_Mira', text: 'yes', scope: 'facts' as never },
    ...{ job_seed: null, given_at: second(1) },
  },
};

test('the row of a consent keeps what was given, and adds the revocation', () =>
  givenRowsFor(CONSENT, 'consent-user_mira')(GIVEN, {
    type: 'consent_revoked',
    data: { consent_id: 'c-1', revoked_at: second(5) },
  }).rows({
    ...{ consent_id: 'c-1', position: '100', user_id: 'user_Mira', user_folded: 'mira' },
    ...{ text: 'yes', scope: 'facts', job_seed: null, given_at: second(1) },
    ...{ revoked_at: second(5), revoked_position: '101' },
    ...{ approved_by: null, approved_position: null },
  }));

test('a change of a consent that was never given stops the projection', () => {
  const revoked = { type: 'consent_revoked', data: { consent_id: 'c-1', revoked_at: second(5) } };
  expect(() => rowsOf(CONSENT, loggedIn('consent-user_mira', [revoked]))).toThrow(
    'a consent changes before it is given',
  );
});

test('events of other types make no row', () =>
  givenRowsFor(WITHHELD, 'consent-user_mira')(GIVEN).rows());

test('the rows of notes are the same whatever the sizes of the batches are', () => {
  const command = fc.constantFrom<NoteCommand>(
    { type: 'delete', at: second(1) },
    { type: 'expire', at: second(30) },
    ...['a', 'b'].map((value): NoteCommand => ({
      ...{ type: 'put', owner: 'user:mira', namespace: ['plans'], key: 'today', value },
      ...{ ttl_seconds: 5, at: second(2) },
    })),
  );
  const play = playFor(noteDecider, STREAM);
  fc.assert(
    fc.property(
      fc.array(command, { maxLength: 12 }),
      fc.integer({ min: 1, max: 12 }),
      (commands, batch) => {
        const events = loggedIn(STREAM, play(commands).events);
        expect(rowsOf(NOTE, events, batch)).toStrictEqual(rowsOf(NOTE, events));
      },
    ),
  );
});
