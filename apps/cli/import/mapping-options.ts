import type { RuleSet } from '#domain/privacy/rule-set.js';

export interface MappingOptions {
  /** A tool call whose name begins with one of these prefixes changes something, and becomes an episode. */
  readonly changingPrefixes: readonly string[];
  /** The user of the token that imports; null if it has none. */
  readonly user: string | null;
  /** The rules of the service's privacy gate (MACE_PRIVACY_REGIONS). */
  readonly rules: RuleSet;
}
