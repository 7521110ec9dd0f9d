import { parseKey } from '../canonical-key/canonical-key.js';
import { hashJson } from '../determinism/hash.js';
import { episodicId } from '../determinism/ids.js';
import { seededBase, seededTimestamp } from '../determinism/seeded-clock.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import { requireText } from '../free-text.js';
import { clearValueOf, heldJson, heldOf, type Held, isSealed } from '../held.js';
import type { EpisodeData } from '../job/events.js';
import type { JsonObject } from '../json.js';
import { redactionsOf } from '../privacy/redactions.js';
import { requireCarriable, requireFactValue } from '../sem/fact-limits.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import { requireSize, type SizeLimit } from '../size-limit.js';
import type { ActionRequested, LookedUp } from './events.js';
import { erasureProposalOf } from './erasure.js';
import { gatedValueOf } from './gated-value.js';
import { changeOf } from './large-change.js';
import { ownerOf } from './state.js';

/** A proposal as the caller sends it; the domain fills in the hash and the defaults (SPEC G1). */
export type ProposeAction = Held & Omit<ActionRequested, 'proposal_hash' | 'value' | 'sealed'>;

export const PROPOSAL_EVIDENCE: SizeLimit = {
  bytes: 256 * 1024,
  reason: () => 'evidence has at most 256 KB canonical',
};
const MAX_SUMMARY = 2_000;
/**
 * Scopes in which no action request may write. Otherwise a request could change policy and configuration
 * (SPEC S4).
 */
const PROTECTED_SCOPES: readonly string[] = ['mace', 'config', 'system'];

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/**
 * sha256 of the content that the council votes on (SPEC G2). Each revision has a hash of its own, also one
 * that returns to an earlier value, because the votes on that value do not count again (SPEC G8).
 */
export const proposalHash = (proposal: ProposeAction, revision = 0): string => {
  const { kind, episodic_id, target_sem_key, justification, evidence } = proposal;
  const held = heldJson(heldOf(proposal));
  const content = { kind, episodic_id, target_sem_key, justification, evidence, ...held };
  return hashJson(revision === 0 ? content : { ...content, revision });
};

/**
 * Checks a proposal and returns the data of its `action_requested` event. A write to a user's key
 * concerns that user, unless the proposal names another user (SPEC G2). @throws Refusal
 * PERMISSION_DENIED for a protected scope, INVALID_INPUT for an invalid field.
 */
export function actionRequested(proposal: ProposeAction): ActionRequested {
  const concerned = requireTarget(proposal);
  requireText('a justification', proposal.justification);
  requireCarriable('evidence', proposal.evidence);
  requireSize(proposal.evidence, PROPOSAL_EVIDENCE);
  if (!Number.isSafeInteger(proposal.quorum) || proposal.quorum < 1)
    throw invalid('a quorum is an integer from 1');
  const requested_at = normalizeTimestamp(proposal.requested_at);
  const expires_at = normalizeTimestamp(proposal.expires_at);
  if (expires_at <= requested_at) throw invalid('a request expires after it is made');
  const made_for = proposal.made_for ?? concerned;
  const { request_id, kind, episodic_id, target_sem_key, justification, evidence } = proposal;
  const { proposer, source, quorum, executable_from } = proposal;
  if (executable_from !== undefined && executable_from > expires_at)
    throw invalid(
      `the request would expire at ${expires_at}, before the retention period ends at ${executable_from}`,
    ).teaching({
      instead: `Ask again from ${executable_from} on, or, if the law demands the erasure, with the reason_code legal_erasure.`,
    });
  return {
    ...gatedValueOf(proposal),
    ...redactionsOf(proposal.redactions),
    ...changeOf(proposal),
    ...lookedUp(proposal.unfound_evidence ?? []),
    request_id,
    kind,
    episodic_id,
    ...(proposal.job_seed === undefined ? {} : { job_seed: proposal.job_seed }),
    target_sem_key,
    justification,
    evidence,
    proposer,
    made_for,
    source,
    requested_at,
    expires_at,
    ...(executable_from === undefined ? {} : { executable_from }),
    quorum,
    proposal_hash: proposalHash(proposal),
  };
}

/** Returns what an event or a proposal records of the evidence that was not found. */
export const lookedUp = (unfound: readonly number[]): LookedUp =>
  unfound.length === 0 ? {} : { unfound_evidence: unfound };

/** Checks what a proposal is about. Returns the entity id of the user whom a fact concerns, if there is one. */
function requireTarget(proposal: ProposeAction): string | null {
  const { kind, episodic_id, target_sem_key } = proposal;
  if (kind === 'erasure') erasureProposalOf(clearValueOf(proposal));
  if (kind !== 'sem_put') {
    requireFactValue(proposal);
    return null;
  }
  if (episodic_id === null || target_sem_key === null)
    throw invalid('a proposed fact names an episode and a key');
  const { scope, entity_id } = parseKey(target_sem_key);
  permit(!PROTECTED_SCOPES.includes(scope), `propose a write to scope ${scope}`, 'S4');
  requireFactValue(proposal);
  return scope === 'user' ? entity_id : null;
}

/** Returns the key that a proposed fact is for. @throws TypeError for a request of another kind */
export function targetOf({ target_sem_key }: Pick<ActionRequested, 'target_sem_key'>): string {
  if (target_sem_key === null) throw new TypeError('only a proposed fact has a target');
  return target_sem_key;
}

/**
 * Returns the event of the episode of a proposed fact; no event for another kind. The seed of the episode's id is
 * the name of the request's stream (SPEC E1).
 */
export function requestEpisode(
  stream: string,
  request: ActionRequested,
): { readonly type: 'episode_written'; readonly data: EpisodeData }[] {
  if (request.kind !== 'sem_put') return [];
  return [{ type: 'episode_written', data: episodeOf(stream, request) }];
}

function episodeOf(stream: string, request: ActionRequested): EpisodeData {
  const { request_id, kind, episodic_id, target_sem_key, justification, proposal_hash } = request;
  const summary = `Asked to write ${target_sem_key}: ${justification}`;
  const payload: JsonObject = {
    request_id,
    kind,
    episodic_id,
    target_sem_key,
    justification,
    proposal_hash,
    // The ciphertext stays out of the episode, whose payload is shown as it is.
    ...(isSealed(request) ? { redacted: request.sealed.type } : { value: request.value }),
  };
  return {
    episodic_id: episodicId(stream, 1),
    job_seed: stream,
    owner: ownerOf(request),
    source: 'agent',
    summary: [...summary].slice(0, MAX_SUMMARY).join(''),
    evidence: [{ episodic_id }, ...request.evidence],
    payload,
    created_seeded_ts: seededTimestamp(seededBase(stream), 1),
    reflective_log_id: null,
  };
}
