import { Refusal } from '../errors/refusal.js';
import type { Json, JsonObject } from '../json.js';
import { RULE_SET_VERSION } from '../privacy/finding.js';
import { ROUTE_REASONS } from '../router/rules.js';
import type { JobConstants } from './events.js';

/** The constants of a job if its start overrides none of them (SPEC J1). */
export const DEFAULT_CONSTANTS: JobConstants = {
  promotion_references: 2,
  promotion_window: 4,
  wm_default_ttl_ticks: 3,
  cwm_ttl_ticks: 10,
  cwm_token_budget: 512,
  agent_timeout_ms: 5_000,
  max_repair_loops: 3,
  min_confidence: 0.5,
  council_threshold: 0.6,
  auto_tie_break: false,
  council_weights: {},
  router_toggles: Object.fromEntries(ROUTE_REASONS.map((reason) => [reason, true])),
  privacy_rule_set_version: RULE_SET_VERSION,
};

/**
 * The maximum number of entries in WM (SPEC J2) and of items in CWM. A snapshot of the CWM then fits in
 * one event.
 */
export const MAX_ENTRIES = 1_000;
/** The maximum number of commands in one batch (SPEC J9). */
export const MAX_COMMANDS = 500;

const MAX_CONSTANT = 10_000;
const MAX_COUNCIL_MEMBERS = 100;

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/** True for an integer from 1 to 10,000, the range of most constants and of every ttl. */
export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_CONSTANT;

const isFraction = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= 1;

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const areWeights = (value: Json): boolean =>
  isObject(value) &&
  Object.keys(value).length <= MAX_COUNCIL_MEMBERS &&
  Object.entries(value).every(
    ([member, weight]) =>
      member.length >= 1 &&
      member.length <= 128 &&
      typeof weight === 'number' &&
      weight >= 0 &&
      weight <= MAX_CONSTANT,
  );

const areToggles = (value: Json): boolean =>
  isObject(value) &&
  Object.entries(value).every(
    ([reason, enabled]) =>
      (ROUTE_REASONS as readonly string[]).includes(reason) && typeof enabled === 'boolean',
  );

const count = { accepts: isCount, expected: 'an integer from 1 to 10000' };
const fraction = { accepts: isFraction, expected: 'a number from 0 to 1' };

const OVERRIDABLE: Readonly<
  Record<
    Exclude<keyof JobConstants, 'privacy_rule_set_version'>,
    { readonly accepts: (value: Json) => boolean; readonly expected: string }
  >
> = {
  promotion_references: count,
  promotion_window: count,
  wm_default_ttl_ticks: count,
  cwm_ttl_ticks: count,
  cwm_token_budget: count,
  agent_timeout_ms: count,
  max_repair_loops: count,
  min_confidence: fraction,
  council_threshold: fraction,
  auto_tie_break: { accepts: (value) => typeof value === 'boolean', expected: 'a boolean' },
  council_weights: {
    accepts: areWeights,
    expected: 'at most 100 members with weights from 0 to 10000',
  },
  router_toggles: { accepts: areToggles, expected: 'booleans by route_reason' },
};

const isOverridable = (name: string): name is keyof typeof OVERRIDABLE =>
  Object.hasOwn(OVERRIDABLE, name);

/**
 * The constants that a start pins: the defaults with the caller's overrides (SPEC J1). Toggles are merged
 * one by one, other constants are replaced.
 * @throws Refusal INVALID_INPUT for an unknown name, for a constant that cannot be overridden
 * (privacy_rule_set_version), and for a value out of range.
 */
export function resolveConstants(
  overrides: JsonObject = {},
  privacy_rule_set_version = DEFAULT_CONSTANTS.privacy_rule_set_version,
): JobConstants {
  for (const [name, value] of Object.entries(overrides)) {
    if (!isOverridable(name))
      throw invalid('constants: holds a name that is no constant of a job or cannot be overridden');
    if (!OVERRIDABLE[name].accepts(value))
      throw invalid(`constants.${name}: must be ${OVERRIDABLE[name].expected}`);
  }
  const chosen = overrides as Partial<JobConstants>;
  return {
    ...DEFAULT_CONSTANTS,
    ...chosen,
    privacy_rule_set_version,
    router_toggles: { ...DEFAULT_CONSTANTS.router_toggles, ...chosen.router_toggles },
  };
}
