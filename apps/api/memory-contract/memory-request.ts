import { Refusal } from '#domain/errors/refusal.js';
import { vanishesInUrls } from '#domain/determinism/ids.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { PhaseRequest, RequestData } from '#domain/memory-contract/events.js';
import type { Space } from '#domain/memory-contract/item.js';
import { storeOwners, UNKNOWN_PROJECT, type StoreOwners } from '#domain/memory-contract/owners.js';
import {
  policyHash,
  policyOf,
  type PolicyRequest,
  type PolicySnapshot,
} from '#domain/memory-contract/policy.js';
import {
  recordableText,
  TOOL_EVENTS,
  toolText,
  type RecordableText,
} from '#domain/memory-contract/utterance/utterance.js';
import { userFor } from '#domain/ownership/access.js';
import { isTooDeep, tooDeep } from '#domain/privacy/require-clear.js';
import type { LanguageName } from '#domain/search/languages/language.js';
import type { Actor } from '#domain/recorded-event.js';
import { requireSize, type SizeLimit } from '#domain/size-limit.js';
import { memoryStream } from '#domain/stream-names.js';
import type { PrivacyGate } from '../privacy/privacy-gate.js';
import type { MemoryWrite, RecordMemory } from './memory-commands.js';

const TOOL_EVENTS_SIZE: SizeLimit = {
  bytes: TOOL_EVENTS.bytes,
  reason: () => 'tool_events: more than 64 KiB',
};

/** A request of the Memory Contract, with its stores and its policy (SPEC M2, M7, M20). */
export interface MemoryRequest {
  readonly actor: Actor;
  readonly session_id: string;
  /** The user for whom the request acts; null if the session stands in for the user. */
  readonly user_id: string | null;
  /** The stream of the session's store. */
  readonly stream: string;
  readonly phase: PhaseRequest | null;
  /** The fields that the request's commands carry. */
  readonly data: RequestData & { readonly policy: PolicySnapshot };
}

/** A space other than the session's, with the stream of its store. */
export interface ForeignStore {
  readonly space: Space;
  readonly stream: string;
}

/**
 * Lists, in read order, the stores from which a request reads, except the session's store. An unknown
 * project has no store (SPEC M2).
 */
export const foreignStores = (
  policy: PolicySnapshot,
  owners: StoreOwners,
): readonly ForeignStore[] =>
  policy.spaces.read_order
    .filter((space) => space !== 'session')
    .filter((space) => space !== 'project' || owners.project !== UNKNOWN_PROJECT)
    .map((space) => ({ space, stream: memoryStream(space, owners[space]) }));

/**
 * Checks that the names, reasons and tokens of a request contain no personal data. The names become
 * parts of stream names, and the reasons and tokens are stored unchanged (SPEC I4, P1).
 */
function requireClearNames(
  gate: PrivacyGate,
  body: MemoryWrite<unknown> & { readonly phase_diff?: object },
): Promise<void> {
  const { assistant, session_id, user_id, phase, phase_diff } = body;
  return gate.requireClear(
    plainJson({ assistant, session_id, user_id, phase, phase_diff }) as JsonObject,
  );
}

/** Returns a DTO as plain JSON, without undefined properties. */
export const plainJson = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/**
 * Builds a request from its body and its caller.
 * @throws Refusal PERMISSION_DENIED for another caller's user, PRIVACY_BLOCKED for a flagged id or name,
 * INVALID_INPUT for an invalid policy.
 */
export async function memoryRequest(
  gate: PrivacyGate,
  body: MemoryWrite<unknown>,
  language: LanguageName,
): Promise<MemoryRequest> {
  const { actor } = body;
  const user_id = userFor(actor, body.user_id);
  await requireClearNames(gate, body);
  const { assistant, session_id, project_root = null, memory } = body;
  const { policy, policy_hash } = await policyFor(gate, body, language);
  const owners = storeOwners({ session_id, user_id, project_root });
  requireReachable(owners);
  const { short_term, semantic, profile } = memory;
  return {
    actor,
    session_id,
    user_id,
    stream: memoryStream('session', owners.session),
    phase: body.phase === undefined ? null : { ...body.phase },
    data: {
      assistant,
      owners,
      settings: { short_term, semantic, profile },
      policy_hash,
      policy,
    },
  };
}

/** Refuses names by which `GET memory/{space}/{owner}` could not reach the store. */
function requireReachable({ session, user }: StoreOwners): void {
  if (vanishesInUrls(session) || vanishesInUrls(user))
    throw new Refusal('INVALID_INPUT', { reason: 'session_id, user_id: must not be . or ..' });
}

/**
 * Returns the policy of a request. Its patterns are stored unchanged (SPEC P1), so they must not have
 * personal data.
 */
async function policyFor(
  gate: PrivacyGate,
  { policy = {} }: MemoryWrite<unknown>,
  language: LanguageName,
) {
  const asked = plainJson(policy);
  await gate.requireClear({ policy: asked });
  const made = policyOf(asked as PolicyRequest, language);
  return { policy: made, policy_hash: policyHash(made) };
}

/** Returns true if the detector finds personal data in a text or cannot scan it (SPEC P2, M8). */
export const isFlagged = async (gate: PrivacyGate, text: string): Promise<boolean> =>
  (await gate.verdictOn(text)).outcome !== 'clear';

/**
 * Passes the texts of a turn through the gate. A text that will be denied because of its content is
 * withheld (SPEC M8, P1).
 */
export async function gatedTexts(
  gate: PrivacyGate,
  { user_text, ai_text, tool_events = [] }: RecordMemory,
  policy: PolicySnapshot,
): Promise<{
  readonly user: RecordableText;
  readonly ai: RecordableText;
  readonly tool: RecordableText | null;
}> {
  requireSize(tool_events, TOOL_EVENTS_SIZE);
  return {
    user: recordableText(user_text, 'user', policy, await isFlagged(gate, user_text)),
    ai: recordableText(ai_text, 'ai', policy, await isFlagged(gate, ai_text)),
    tool: tool_events.length === 0 ? null : await heardTools(gate, tool_events, policy),
  };
}

async function heardTools(
  gate: PrivacyGate,
  events: readonly Json[],
  policy: PolicySnapshot,
): Promise<RecordableText> {
  const verdict = await gate.verdictOn(events);
  if (isTooDeep(verdict)) throw tooDeep('tool_events');
  return recordableText(toolText(events), 'tool', policy, verdict.outcome !== 'clear');
}
