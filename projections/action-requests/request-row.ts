import type { ActionRequestEvent } from '#domain/action-request/events.js';
import { lookedUp } from '#domain/action-request/proposal.js';
import type { RiskReason } from '#domain/action-request/risk-reasons.js';
import { areaOf, citedEpisodes, hasRemovedData, ownReasons } from '#domain/action-request/risk.js';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { type Held, isSealed } from '#domain/held.js';
import type { JsonObject } from '#domain/json.js';
import { idOfRequestStream } from '#domain/stream-names.js';
import type { Logged } from '#read-model/projection.js';
import type { StoredRequest } from './request-columns.js';

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
    last_position: position.toString(),
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

/** Returns the columns that an event of a request changes. */
export function changeOf(event: ActionRequestEvent, before: StoredRequest): Partial<StoredRequest> {
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
