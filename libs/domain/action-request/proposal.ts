import { parseKey } from '../canonical-key/canonical-key.js';
import { canonicalSize } from '../determinism/canonical-json.js';
import { hashJson } from '../determinism/hash.js';
import { episodicId } from '../determinism/ids.js';
import { seededBase, seededTimestamp } from '../determinism/seeded-clock.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import { heldJson, heldOf, type Held } from '../held.js';
import { requireText } from '../free-text.js';
import type { EpisodeData } from '../job/events.js';
import type { JsonObject } from '../json.js';
import { requireCarriable, requireFactValue } from '../sem/fact-limits.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import type { ActionRequested } from './events.js';
import { ownerOf } from './state.js';

/** A proposal as the caller sends it; the domain fills in the hash and the defaults (SPEC G1). */
export type ProposeAction = Held & Omit<ActionRequested, 'proposal_hash' | 'value' | 'sealed'>;

const MAX_EVIDENCE_BYTES = 256 * 1024;
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
  const { scope, entity_id } = parseKey(proposal.target_sem_key);
  permit(!PROTECTED_SCOPES.includes(scope), `propose a write to scope ${scope}`, 'S4');
  requireFactValue(proposal);
  requireText('a justification', proposal.justification);
  requireCarriable('evidence', proposal.evidence);
  if (canonicalSize(proposal.evidence) > MAX_EVIDENCE_BYTES)
    throw invalid('evidence has at most 256 KB canonical');
  if (!Number.isSafeInteger(proposal.quorum) || proposal.quorum < 1)
    throw invalid('a quorum is an integer from 1');
  const requested_at = normalizeTimestamp(proposal.requested_at);
  const expires_at = normalizeTimestamp(proposal.expires_at);
  if (expires_at <= requested_at) throw invalid('a request expires after it is made');
  const made_for = proposal.made_for ?? (scope === 'user' ? entity_id : null);
  const { request_id, kind, episodic_id, target_sem_key, justification, evidence } = proposal;
  const { proposer, source, quorum } = proposal;
  return {
    ...heldOf(proposal),
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
    quorum,
    proposal_hash: proposalHash(proposal),
  };
}

/** The episode of the request. The seed of its id is the name of the request's stream (SPEC E1). */
export function requestEpisode(stream: string, request: ActionRequested): EpisodeData {
  const { request_id, kind, episodic_id, target_sem_key, justification, proposal_hash } = request;
  const summary = `Asked to write ${target_sem_key}: ${justification}`;
  const payload: JsonObject = {
    request_id,
    kind,
    episodic_id,
    target_sem_key,
    justification,
    proposal_hash,
    ...heldJson(heldOf(request)),
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
