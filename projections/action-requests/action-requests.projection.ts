import type { ActionRequestEvent, ActionRequestStatus } from '#domain/action-request/events.js';
import { idOfRequestStream } from '#domain/action-request/state.js';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { isSealed } from '#domain/held.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { readTables } from '../read-tables.js';

const INSERT_REQUESTS = `
  insert into request
  select * from json_to_recordset($1::json) as row (
    request_id text, position bigint, status text, kind text, episodic_id text,
    target_sem_key text, held text, is_sealed boolean, justification text, evidence text,
    proposer_sub text, proposer_user_id text, proposer_user_folded text, made_for text, made_for_folded text, source text, requested_at text,
    expires_at text, quorum int, proposal_hash text, decided_at text, rejection_reason text,
    refusal_code text, sem_stream text, sem_event_number int, revision int)`;

const INSERT_VOTES = `
  insert into vote
  select * from json_to_recordset($1::json) as row (
    request_id text, number int, voter_sub text, voter_user_id text, vote text, reason text,
    proposal_hash text, at text)`;

const UPDATE_REQUESTS = `
  update request set
    status = coalesce(change.status, request.status),
    decided_at = coalesce(change.decided_at, request.decided_at),
    rejection_reason = coalesce(change.rejection_reason, request.rejection_reason),
    refusal_code = coalesce(change.refusal_code, request.refusal_code),
    sem_stream = coalesce(change.sem_stream, request.sem_stream),
    sem_event_number = coalesce(change.sem_event_number, request.sem_event_number),
    revision = change.revision
  from json_to_recordset($1::json) as change (
    request_id text, status text, decided_at text, rejection_reason text, refusal_code text,
    sem_stream text, sem_event_number int, revision int)
  where request.request_id = change.request_id`;

interface Change {
  readonly request_id: string;
  readonly revision: number;
  readonly status?: ActionRequestStatus;
  readonly decided_at?: string;
  readonly rejection_reason?: string;
  readonly refusal_code?: string;
  readonly sem_stream?: string;
  readonly sem_event_number?: number;
}

/** The council's queue: every request with its state and its votes. */
@Projector({
  name: 'action_requests',
  version: 3,
  tables: readTables(import.meta.url),
  categories: ['request'],
})
export class ActionRequestsProjection implements EventProjector {
  async project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void> {
    const inserted: object[] = [];
    const votes: object[] = [];
    const changes = new Map<string, Change>();
    for (const logged of events) {
      const event = logged as unknown as ActionRequestEvent;
      if (event.type === 'action_requested') inserted.push(requestRow(logged, event));
      if (event.type === 'vote_cast') votes.push(voteRow(logged, event));
      const request_id = idOfRequestStream(logged.stream);
      changes.set(request_id, { ...changes.get(request_id), ...changeOf(logged, event) });
    }
    if (inserted.length > 0) await tx.query(INSERT_REQUESTS, [JSON.stringify(inserted)]);
    if (votes.length > 0) await tx.query(INSERT_VOTES, [JSON.stringify(votes)]);
    await tx.query(UPDATE_REQUESTS, [JSON.stringify([...changes.values()])]);
  }
}

function requestRow(
  { stream, number, position }: LoggedEvent,
  { data }: Extract<ActionRequestEvent, { type: 'action_requested' }>,
): object {
  return {
    request_id: idOfRequestStream(stream),
    position: position.toString(),
    status: 'pending' satisfies ActionRequestStatus,
    kind: data.kind,
    episodic_id: data.episodic_id,
    target_sem_key: data.target_sem_key,
    held: canonicalJson(isSealed(data) ? data.sealed : data.value),
    is_sealed: isSealed(data),
    justification: data.justification,
    evidence: canonicalJson(data.evidence),
    proposer_sub: data.proposer.sub,
    proposer_user_id: data.proposer.user_id,
    proposer_user_folded: data.proposer.user_id === null ? null : foldUserId(data.proposer.user_id),
    made_for: data.made_for,
    made_for_folded: data.made_for === null ? null : foldUserId(data.made_for),
    source: data.source,
    requested_at: data.requested_at,
    expires_at: data.expires_at,
    quorum: data.quorum,
    proposal_hash: data.proposal_hash,
    revision: number,
  };
}

const voteRow = (
  logged: LoggedEvent,
  { data }: Extract<ActionRequestEvent, { type: 'vote_cast' }>,
): object => ({
  request_id: idOfRequestStream(logged.stream),
  number: logged.number,
  voter_sub: data.voter.sub,
  voter_user_id: data.voter.user_id,
  vote: data.vote,
  reason: data.reason,
  proposal_hash: data.proposal_hash,
  at: data.at,
});

function changeOf(logged: LoggedEvent, event: ActionRequestEvent): Change {
  const seen = { request_id: idOfRequestStream(logged.stream), revision: logged.number };
  switch (event.type) {
    case 'action_requested':
    case 'episode_written':
    case 'vote_cast':
      return seen;
    case 'request_approved':
      return { ...seen, status: 'approved', decided_at: event.data.at };
    case 'request_rejected': {
      const { at, reason } = event.data;
      return { ...seen, status: 'rejected', decided_at: at, rejection_reason: reason };
    }
    case 'request_expired':
      return { ...seen, status: 'expired', decided_at: event.data.at };
    case 'request_executed':
      return { ...seen, status: 'executed', ...event.data };
    case 'execution_refused': {
      const { code, link } = event.data;
      return { ...seen, status: 'execution_refused', refusal_code: code, ...link };
    }
  }
}
