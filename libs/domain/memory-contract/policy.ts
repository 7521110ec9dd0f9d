import type { LanguageName } from '../search/languages/language.js';
import { LATEST_RANKING } from '../search/rankings.js';
import { canonicalJson } from '../determinism/canonical-json.js';
import { sha256Hex } from '../determinism/hash.js';
import { Refusal } from '../errors/refusal.js';
import { AUTHORITY_ORDER } from './utterance/authority.js';
import { FACT_KEYS } from './utterance/facts.js';
import {
  EVENT_TYPES,
  type Authority,
  type EventType,
  type MemoryKind,
  type Space,
} from './item.js';

export const WRITE_POLICIES = ['none', 'minimal', 'normal', 'aggressive'] as const;
export type WritePolicy = (typeof WRITE_POLICIES)[number];
export const FORGET_POLICIES = ['never', 'ttl', 'decay'] as const;
export type ForgetPolicy = (typeof FORGET_POLICIES)[number];

export type RetentionRule = {
  readonly mode: ForgetPolicy;
  readonly ttl_ticks: number | null;
};

export type SpacePromotion = {
  readonly from_space: Space;
  readonly to_space: Space;
  readonly allowed_event_types: readonly EventType[];
  readonly min_authority: Authority;
  /** True if the authority `user_asserted` is enough to promote an item of type `decision` (SPEC M12). */
  readonly decision_override: boolean;
};

export type PhasePolicy = {
  readonly enabled: boolean;
  readonly mode: 'current_only' | 'current_plus_history';
  readonly allow_cross_phase_recall: boolean;
  /** The number of ledgers to keep; null keeps all. */
  readonly max_phases: number | null;
  readonly diff_enabled: boolean;
};

/** What ranks semantic items as a search does, so that a replay ranks them in the same way (SPEC Q6). */
export type RelevancePolicy = {
  readonly order: 'relevance';
  /** The version of the ranking. */
  readonly version: number;
  readonly language: LanguageName;
};

export const RECALL_RANKINGS = ['overlap', 'relevance'] as const;
export type RecallRanking = (typeof RECALL_RANKINGS)[number];

/** The complete policy of a decision, in the form that traces show (SPEC M7). */
export type PolicySnapshot = {
  readonly write_policy: WritePolicy;
  readonly allow_event_types: readonly EventType[];
  readonly deny_event_types: readonly EventType[];
  readonly retention: Readonly<Record<MemoryKind, Readonly<Record<EventType, RetentionRule>>>>;
  readonly promotion: Readonly<
    Record<MemoryKind, { readonly allowed_event_types: readonly EventType[] }>
  >;
  readonly privacy: {
    readonly deny_patterns: readonly string[];
    readonly allow_profile_keys: readonly string[];
    readonly deny_sensitive: boolean;
  };
  readonly authority_order: readonly Authority[];
  readonly spaces: {
    readonly read_order: readonly Space[];
    readonly write_spaces: readonly Space[];
    readonly promotions: readonly SpacePromotion[];
  };
  readonly phase: PhasePolicy;
  /** How a recall ranks semantic items; missing for the ranking of SPEC M17. */
  readonly ranking?: RelevancePolicy;
};

/** The settings of the memory that a request uses (SPEC M20). */
export type MemorySettings = {
  /** The size of the window, in turns. */
  readonly short_term: number;
  readonly semantic: boolean;
  readonly profile: boolean;
};

/** A retention rule as a request gives it; without `ttl_ticks`, the mode's default applies. */
export type AskedRule = {
  readonly mode: ForgetPolicy;
  readonly ttl_ticks?: number | null;
};

/** The retention rules of a kind, by event type; `default` is for the types that are not named. */
export type AskedRules = { readonly [Type in EventType | 'default']?: AskedRule };

/** The policy fields that a request may set. SPEC M7 gives the other fields. */
export interface PolicyRequest {
  readonly retention?: { readonly [Kind in MemoryKind]?: AskedRules };
  readonly promotion?: Partial<PolicySnapshot['promotion']>;
  /** All authorities, from the highest to the lowest. */
  readonly authority_order?: readonly Authority[];
  readonly write_policy?: WritePolicy;
  readonly forget_policy?: ForgetPolicy;
  readonly allow_event_types?: readonly EventType[];
  readonly deny_event_types?: readonly EventType[];
  readonly allow_cross_phase_recall?: boolean;
  readonly max_phases?: number | null;
  readonly phase_enabled?: boolean;
  readonly diff_enabled?: boolean;
  readonly ranking?: RecallRanking;
  readonly spaces?: Partial<PolicySnapshot['spaces']>;
  readonly privacy?: Partial<PolicySnapshot['privacy']>;
}

export const SEMANTIC_TOP_K = 3;
export const PROFILE_LIMIT = 20;
const TTL_TICKS = 25;
const DECAY_TICKS: Readonly<Record<EventType, number>> = {
  context: 12,
  execution: 18,
  decision: 40,
  preference: 40,
  correction: 45,
  fact: 60,
};

/** Words that mark a text as sensitive under every policy; a policy adds its deny_patterns (SPEC M8). */
export const SENSITIVE_MARKERS: readonly string[] = [
  'password',
  'secret',
  'token',
  'api key',
  'apikey',
  'credit card',
  'ssn',
  'social security',
  'private key',
];

const PROMOTED_TYPES: readonly EventType[] = ['preference', 'decision', 'fact', 'correction'];

const promotion = (
  from_space: Space,
  to_space: Space,
  min_authority: Authority,
  decision_override: boolean,
): SpacePromotion => ({
  from_space,
  to_space,
  allowed_event_types: PROMOTED_TYPES,
  min_authority,
  decision_override,
});

const PROMOTIONS: readonly SpacePromotion[] = [
  promotion('session', 'user', 'user_asserted', false),
  promotion('session', 'project', 'tool_verified', true),
  promotion('user', 'project', 'user_asserted', false),
];

const ruleOf = (mode: ForgetPolicy, type: EventType): RetentionRule => ({
  mode,
  ttl_ticks: { never: null, ttl: TTL_TICKS, decay: DECAY_TICKS[type] }[mode],
});

/** Returns the rule of one event type: the asked one for the type, else `default`, else that of `mode`. */
function retentionRule(type: EventType, mode: ForgetPolicy, asked: AskedRules): RetentionRule {
  const rule = asked[type] ?? asked.default ?? { mode };
  const usual = ruleOf(rule.mode, type);
  return { mode: rule.mode, ttl_ticks: rule.ttl_ticks ?? usual.ttl_ticks };
}

const retentionOf = (mode: ForgetPolicy, asked: AskedRules = {}) =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, retentionRule(type, mode, asked)])) as Record<
    EventType,
    RetentionRule
  >;

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

const repeats = (list: readonly string[]): boolean => new Set(list).size < list.length;

function checkRule({ mode, ttl_ticks = null }: AskedRule, at: string): void {
  if (ttl_ticks === null) return;
  if (mode === 'never') throw invalid(`${at}.ttl_ticks: the mode never has no ticks`);
  if (!(Number.isSafeInteger(ttl_ticks) && ttl_ticks >= 1))
    throw invalid(`${at}.ttl_ticks: an integer of at least 1`);
}

function checkRequest(request: PolicyRequest): void {
  const { max_phases = null, spaces, privacy, retention = {}, promotion = {} } = request;
  for (const [kind, rules] of Object.entries(retention))
    for (const [type, rule] of Object.entries(rules))
      checkRule(rule, `policy.retention.${kind}.${type}`);
  for (const [kind, { allowed_event_types }] of Object.entries(promotion))
    if (repeats(allowed_event_types))
      throw invalid(`policy.promotion.${kind}.allowed_event_types: names a type twice`);
  const { authority_order: order = AUTHORITY_ORDER } = request;
  if (repeats(order) || order.length !== AUTHORITY_ORDER.length)
    throw invalid('policy.authority_order: names each authority once');
  if (max_phases !== null && !(Number.isInteger(max_phases) && max_phases >= 1))
    throw invalid('policy.max_phases: an integer of at least 1, or null');
  for (const list of [spaces?.read_order ?? [], spaces?.write_spaces ?? []])
    if (repeats(list)) throw invalid('policy.spaces: names a space twice');
  if (privacy?.deny_patterns?.includes('') === true)
    throw invalid('policy.privacy.deny_patterns: an empty pattern would deny everything');
}

/**
 * Returns the policy of a request, with the defaults filled in (SPEC M7).
 * @param language the language of the texts, by which a ranking by relevance finds the forms of a word
 * @throws Refusal INVALID_INPUT for an invalid max_phases, retention rule or order of authorities, a space or
 * a promoted type named twice, or an empty pattern.
 */
export function policyOf(
  request: PolicyRequest = {},
  language: LanguageName = 'english',
): PolicySnapshot {
  checkRequest(request);
  const { retention = {} } = request;
  const crossPhase = request.allow_cross_phase_recall ?? false;
  return {
    write_policy: request.write_policy ?? 'normal',
    allow_event_types: request.allow_event_types ?? [],
    deny_event_types: request.deny_event_types ?? [],
    retention: {
      short_term: retentionOf('never', retention.short_term),
      semantic: retentionOf(request.forget_policy ?? 'decay', retention.semantic),
      profile: retentionOf('never', retention.profile),
    },
    promotion: {
      short_term: { allowed_event_types: EVENT_TYPES },
      semantic: { allowed_event_types: EVENT_TYPES },
      profile: { allowed_event_types: ['fact', 'correction'] },
      ...request.promotion,
    },
    privacy: {
      deny_patterns: SENSITIVE_MARKERS,
      allow_profile_keys: FACT_KEYS,
      deny_sensitive: true,
      ...request.privacy,
    },
    authority_order: request.authority_order ?? AUTHORITY_ORDER,
    spaces: {
      read_order: ['session', 'user', 'project', 'system'],
      write_spaces: ['session'],
      promotions: PROMOTIONS,
      ...request.spaces,
    },
    phase: {
      enabled: request.phase_enabled ?? true,
      mode: crossPhase ? 'current_plus_history' : 'current_only',
      allow_cross_phase_recall: crossPhase,
      max_phases: request.max_phases ?? null,
      diff_enabled: request.diff_enabled ?? true,
    },
    ...(request.ranking === 'relevance'
      ? { ranking: { order: 'relevance', version: LATEST_RANKING, language } }
      : {}),
  };
}

/** Returns the hash by which events refer to a policy; a stream records each policy once. */
export const policyHash = (policy: PolicySnapshot): string => sha256Hex(canonicalJson(policy));

/** Returns the `forget_policy` of a policy: the mode of its semantic retention (SPEC M7). */
export const forgetPolicyOf = (policy: PolicySnapshot): ForgetPolicy =>
  policy.retention.semantic.context.mode;

/** Returns the policy as `memory_recall` shows it (SPEC M7). */
export const recallPolicy = (policy: PolicySnapshot, settings: MemorySettings) => ({
  ...policy,
  ...settings,
  short_term_max_turns: settings.short_term,
  semantic_top_k: SEMANTIC_TOP_K,
  forget_policy: forgetPolicyOf(policy),
  dedupe_enabled: true,
});
