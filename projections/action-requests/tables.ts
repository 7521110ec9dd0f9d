import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { nameOfPerson } from '#domain/action-request/persons.js';
import type { ReasonCode, Vote } from '#domain/action-request/events.js';
import { idOfRequestStream } from '#domain/stream-names.js';
import { int, orNull, type RowWith, text } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { REQUEST_COLUMNS } from './request-columns.js';
import { changeOf, requestRow } from './request-row.js';

/** One row per request stream (SPEC §6). */
export const REQUEST = foldedTable('action_requests.request', {
  reads: [actionRequestDecider],
  key: ['request_id'],
  mac: true,
  columns: REQUEST_COLUMNS,
  unique: [['position']],
  indexes: {
    request_by_status: '(status, position)',
    request_by_proposer: '(proposer_sub, status)',
    waiting_request_by_target: "(target_sem_key) where status = 'pending'",
    rejected_request_by_target: "(target_sem_key) where status = 'rejected'",
    request_by_decision: '(decided_at) where decided_at is not null',
  },
  at: ({ stream }) => [{ request_id: idOfRequestStream(stream) }],
  row: (before, event) => {
    const request = event.type === 'action_requested' ? requestRow(event) : before;
    if (request === undefined) throw new Error('a request has an event before action_requested');
    const last_position = event.position.toString();
    return { ...request, ...changeOf(event, request), revision: event.number, last_position };
  },
});

const VOTE_COLUMNS = {
  request_id: text(),
  number: int(),
  voter_sub: text(),
  voter_user_id: orNull(text()),
  vote: text<Vote>(),
  reason: text(),
  reason_code: orNull(text<ReasonCode>()),
  proposal_hash: text(),
  at: text(),
};
export type StoredVote = RowWith<typeof VOTE_COLUMNS>;

export const VOTE = foldedTable('action_requests.vote', {
  reads: [actionRequestDecider],
  types: ['vote_cast'],
  key: ['request_id', 'number'],
  mac: true,
  columns: VOTE_COLUMNS,
  adds: ({ stream, number, data }) => [
    {
      request_id: idOfRequestStream(stream),
      number,
      voter_sub: data.voter.sub,
      voter_user_id: data.voter.user_id,
      vote: data.vote,
      reason: data.reason,
      reason_code: data.reason_code ?? null,
      proposal_hash: data.proposal_hash,
      at: data.at,
    },
  ],
});

/** Until when each reviewer has put a request off; null once it is put back. */
export const SNOOZE = foldedTable('action_requests.snooze', {
  reads: [actionRequestDecider],
  types: ['request_snoozed'],
  key: ['request_id', 'snoozer'],
  mac: true,
  columns: { request_id: text(), snoozer: text(), snoozed_until: orNull(text()) },
  at: ({ stream, data }) => [
    { request_id: idOfRequestStream(stream), snoozer: nameOfPerson(data.snoozed_by) },
  ],
  row: (_, { data: { until } }, key) => ({ ...key, snoozed_until: until }),
});
