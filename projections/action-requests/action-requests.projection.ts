import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import type { ActionRequestEvent } from '#domain/action-request/events.js';
import { areaOf, citedEpisodes, ownReasons } from '#domain/action-request/risk.js';
import { idOfRequestStream, requestStream } from '#domain/action-request/state.js';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { type Held, isSealed } from '#domain/held.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import type { Shown } from '#read-model/read-table.js';
import { REQUEST, type StoredRequest, type StoredVote, VOTE } from './tables.js';

/** The council's queue: every request with its state and its votes. */
@Projector({
  name: 'action_requests',
  version: 8,
  tables: [REQUEST, VOTE],
  reads: [actionRequestDecider],
})
export class ActionRequestsProjection implements EventProjector<ActionRequestEvent> {
  constructor(private readonly seals: RowSeals) {}

  async project(
    tx: ProjectionTransaction,
    events: readonly Logged<ActionRequestEvent>[],
  ): Promise<void> {
    const requests = await this.knownRequests(tx, events);
    const changed = new Map<string, Shown<StoredRequest>>();
    const votes: Shown<StoredVote>[] = [];
    for (const event of events) {
      const { stream } = event;
      if (event.type === 'vote_cast') votes.push({ row: voteRow(event), event });
      const before = event.type === 'action_requested' ? requestRow(event) : requests.get(stream);
      if (before === undefined) throw new Error('a request has an event before action_requested');
      const row = { ...before, ...changeOf(event, before), revision: event.number };
      requests.set(stream, row);
      changed.set(stream, { row, event });
    }
    await REQUEST.replace(tx, this.seals, [...changed.values()]);
    await VOTE.insert(tx, this.seals, votes);
  }

  /** Returns the existing rows of the requests to which the events belong, keyed by stream. */
  private async knownRequests(
    tx: ProjectionTransaction,
    events: readonly LoggedEvent[],
  ): Promise<Map<string, StoredRequest>> {
    const ids = new Set(events.map(({ stream }) => idOfRequestStream(stream)));
    const rows = await REQUEST.find(tx, this.seals, 'request_id = any($1::text[])', [[...ids]]);
    return new Map(rows.map((row) => [requestStream(row.request_id), row]));
  }
}

const storedHeld = (held: Held) => ({
  held: canonicalJson(isSealed(held) ? held.sealed : held.value),
  is_sealed: isSealed(held),
});

function requestRow({
  stream,
  number,
  position,
  data,
}: Logged<Extract<ActionRequestEvent, { type: 'action_requested' }>>): StoredRequest {
  return {
    request_id: idOfRequestStream(stream),
    position: position.toString(),
    status: 'pending',
    kind: data.kind,
    episodic_id: data.episodic_id,
    target_sem_key: data.target_sem_key,
    ...storedHeld(data),
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
    decided_at: null,
    rejection_reason: null,
    refusal_code: null,
    sem_stream: null,
    sem_event_number: null,
    editor_sub: null,
    editor_user_id: null,
    awaits_answer: false,
    waiting_askers: [],
    answered_askers: [],
    answered_at: null,
    job_seed: data.job_seed ?? null,
    finding_category: data.finding_category ?? null,
    target_area: areaOf(data.target_sem_key),
    own_reasons: ownReasons(data),
    cited_episodes: citedEpisodes(data),
    voted_risk: null,
    voted_reasons: null,
    votes_cast: 0,
    votes_counted: 0,
    revisions: 0,
    revision: number,
  };
}

const voteRow = ({
  stream,
  number,
  data,
}: Logged<Extract<ActionRequestEvent, { type: 'vote_cast' }>>): StoredVote => ({
  request_id: idOfRequestStream(stream),
  number,
  voter_sub: data.voter.sub,
  voter_user_id: data.voter.user_id,
  vote: data.vote,
  reason: data.reason,
  reason_code: data.reason_code ?? null,
  proposal_hash: data.proposal_hash,
  at: data.at,
});

/** Returns the columns that an event changes. */
function changeOf(event: ActionRequestEvent, before: StoredRequest): Partial<StoredRequest> {
  switch (event.type) {
    case 'action_requested':
    case 'episode_written':
    case 'pii_redacted':
      return {};
    case 'vote_cast': {
      const { risk, vote } = event.data;
      return {
        voted_risk: risk?.level ?? null,
        voted_reasons: risk?.reasons ?? null,
        votes_cast: before.votes_cast + 1,
        votes_counted: before.votes_counted + (vote === 'abstain' ? 0 : 1),
      };
    }
    case 'proposal_revised': {
      const { data } = event;
      const { proposal_hash, editor, finding_category = null } = data;
      return {
        ...storedHeld(data),
        ...{ proposal_hash, finding_category },
        editor_sub: editor.sub,
        editor_user_id: editor.user_id,
        votes_cast: 0,
        votes_counted: 0,
        revisions: before.revisions + 1,
      };
    }
    case 'question_asked': {
      const { sub } = event.data.asked_by;
      const { waiting_askers, answered_askers } = before;
      return {
        awaits_answer: true,
        waiting_askers: [...waiting_askers.filter((other) => other !== sub), sub],
        answered_askers: answered_askers.filter((other) => other !== sub),
      };
    }
    case 'question_answered':
      return {
        awaits_answer: false,
        waiting_askers: [],
        answered_askers: [...before.answered_askers, ...before.waiting_askers],
        answered_at: event.data.at,
      };
    case 'erasure_ordered':
      return {};
    case 'deletion_event':
      return { status: 'executed' };
    case 'erasure_approved':
    case 'request_approved':
      return { status: 'approved', decided_at: event.data.at };
    case 'request_rejected': {
      const { at, reason } = event.data;
      return { status: 'rejected', decided_at: at, rejection_reason: reason };
    }
    case 'request_expired':
      return { status: 'expired', decided_at: event.data.at };
    case 'request_executed': {
      const { sem_stream, sem_event_number } = event.data;
      return { status: 'executed', sem_stream, sem_event_number };
    }
    case 'execution_refused': {
      const { code, link } = event.data;
      return { status: 'execution_refused', refusal_code: code, ...link };
    }
  }
}
