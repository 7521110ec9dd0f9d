import type {
  ActionRequestEvent,
  ActionRequestKind,
  ActionRequestStatus,
  ReasonCode,
  Vote,
} from '#domain/action-request/events.js';
import type { RiskLevel, RiskReason } from '#domain/action-request/risk-reasons.js';
import type { Category } from '#domain/privacy/finding.js';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { nameOfPerson } from '#domain/action-request/persons.js';
import { lookedUp } from '#domain/action-request/proposal.js';
import { areaOf, citedEpisodes, hasRemovedData, ownReasons } from '#domain/action-request/risk.js';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { type Held, isSealed } from '#domain/held.js';
import type { JsonObject } from '#domain/json.js';
import { idOfRequestStream } from '#domain/stream-names.js';
import {
  bigint,
  bool,
  int,
  largeText,
  orNull,
  type RowWith,
  text,
  texts,
} from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import type { Logged } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';

const REQUEST_COLUMNS = {
  request_id: text(),
  /** Commit position of the stream's first event: the order of the queue, and the cursor of a list. */
  position: bigint(),
  status: text<ActionRequestStatus>(),
  kind: text<ActionRequestKind>(),
  episodic_id: orNull(text()),
  target_sem_key: orNull(text()),
  /** Canonical JSON of the proposed value, or of its sealed form. */
  held: text(),
  is_sealed: bool(),
  justification: text(),
  evidence: largeText(),
  /** The first entries of the evidence, whose canonical JSON is short, and the number of all entries. */
  evidence_excerpt: text(),
  evidence_count: int(),
  proposer_sub: text(),
  proposer_user_id: orNull(text()),
  /** Folded: case and an initial `user_` do not matter (SPEC I9). */
  proposer_user_folded: orNull(text()),
  made_for: orNull(text()),
  /** Folded like proposer_user_folded. */
  made_for_folded: orNull(text()),
  source: text(),
  requested_at: text(),
  expires_at: text(),
  quorum: int(),
  proposal_hash: text(),
  decided_at: orNull(text()),
  rejection_reason: orNull(text<'votes' | 'tie'>()),
  refusal_code: orNull(text()),
  /** The write that the approval led to; for a refused execution, the write that lost (SPEC G3). */
  sem_stream: orNull(text()),
  sem_event_number: orNull(int()),
  /** The reviewer who revised the value last (SPEC G8). */
  editor_sub: orNull(text()),
  editor_user_id: orNull(text()),
  /** True if the proposer has not answered the last question. */
  awaits_answer: bool(),
  /** The subs of the reviewers whose last question waits for its answer. */
  waiting_askers: texts(),
  /** The subs of the reviewers whose last question is answered. */
  answered_askers: texts(),
  /** When the proposer answered last; null without an answer. */
  answered_at: orNull(text()),
  /** The sub of the reviewer who works on it; null for nobody. */
  assigned_to: orNull(text()),
  /** The job of the episode, and the category of personal data in the value: what a consent has to cover (SPEC P4). */
  job_seed: orNull(text()),
  /** The category of personal data in the current value; null without any. */
  finding_category: orNull(text<Category>()),
  /** The scope and entity type of the target; `''` without one. */
  target_area: text(),
  /** The reasons of the risk that the request's own words give, with the current value. */
  own_reasons: texts<RiskReason>(),
  /** The episodes that the request is based on or cites. */
  cited_episodes: texts(),
  /** The risk that the last vote recorded; null without one. */
  voted_risk: orNull(text<RiskLevel>()),
  voted_reasons: orNull(texts<RiskReason>()),
  /** The votes on the current value, and those of them that count towards the quorum. */
  votes_cast: int(),
  votes_counted: int(),
  /** The number of revisions of the value (SPEC G8). */
  revisions: int(),
  /** The number of the last projected event of the request's stream. */
  revision: int(),
};
export type StoredRequest = RowWith<typeof REQUEST_COLUMNS>;
/** A row as lists read it: the evidence can be large, and they show its first entries. */
export type BriefRequest = Omit<StoredRequest, 'evidence'>;

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
    return { ...request, ...changeOf(event, request), revision: event.number };
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

/** The council's queue: every request with its state, its votes, and who has put it off. */
@Projector({ name: 'action_requests', version: 12, tables: [REQUEST, VOTE, SNOOZE] })
export class ActionRequestsProjection {}

const storedHeld = (held: Held) => ({
  held: canonicalJson(isSealed(held) ? held.sealed : held.value),
  is_sealed: isSealed(held),
});

/** The canonical JSON of the evidence in a list has at most so many characters. */
const EXCERPT = 2_000;

/** Returns the first entries of the evidence that a list shows. */
function excerptOf(evidence: readonly JsonObject[]): readonly JsonObject[] {
  let length = 2;
  const beyond = evidence.findIndex((entry) => {
    length += canonicalJson(entry).length + 1;
    return length > EXCERPT;
  });
  return beyond < 0 ? evidence : evidence.slice(0, beyond);
}

/** Returns the row of a request at its first event. */
export function requestRow({
  stream,
  number,
  position,
  data,
}: Pick<
  Logged<Extract<ActionRequestEvent, { type: 'action_requested' }>>,
  'stream' | 'number' | 'position' | 'data'
>): StoredRequest {
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
    evidence_excerpt: canonicalJson(excerptOf(data.evidence)),
    evidence_count: data.evidence.length,
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
    assigned_to: null,
    job_seed: data.job_seed ?? null,
    finding_category: data.finding_category ?? null,
    target_area: areaOf(data.target_sem_key),
    own_reasons: ownReasons({ ...data, hasRemovedData: hasRemovedData(data) }),
    cited_episodes: citedEpisodes(data),
    voted_risk: null,
    voted_reasons: null,
    votes_cast: 0,
    votes_counted: 0,
    revisions: 0,
    revision: number,
  };
}

/** Returns the words of a request that a revision of its value does not change. */
const wordsOf = ({
  kind,
  target_sem_key,
  justification,
  evidence,
  requested_at,
  own_reasons,
}: StoredRequest) => ({
  ...{ kind, target_sem_key, justification, requested_at },
  ...evidenceOf(JSON.parse(evidence) as JsonObject[], own_reasons),
  // A sealed value gives this reason as long as it stands, which the row says by itself.
  hasRemovedData: own_reasons.includes('personal_data'),
});

/** Returns the evidence, and what of it was not found: all of it, if this reason stands. */
const evidenceOf = (evidence: readonly JsonObject[], reasons: readonly RiskReason[]) => ({
  evidence,
  ...lookedUp(reasons.includes('no_evidence') ? [...evidence.keys()] : []),
});

function changeOf(event: ActionRequestEvent, before: StoredRequest): Partial<StoredRequest> {
  switch (event.type) {
    case 'action_requested':
    case 'episode_written':
    case 'pii_redacted':
    case 'span_cleared':
    case 'comment_added':
    case 'request_snoozed':
      return {};
    case 'request_assigned':
      return { assigned_to: event.data.assigned_to };
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
        own_reasons: ownReasons({ ...wordsOf(before), ...data }),
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
