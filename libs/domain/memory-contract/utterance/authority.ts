import type { Authority, EventType, Source } from '../item.js';
import { normalText } from './text.js';

/** From the highest to the lowest (SPEC M6). */
export const AUTHORITY_ORDER: readonly Authority[] = [
  'system_imposed',
  'tool_verified',
  'user_asserted',
  'ai_inferred',
];

const BY_SOURCE: Readonly<Record<Source, Authority>> = {
  user: 'user_asserted',
  ai: 'ai_inferred',
  tool: 'tool_verified',
  system: 'system_imposed',
};

/** Whose word it is, from its source (SPEC M6). */
export const authorityOf = (source: Source) => ({
  authority: BY_SOURCE[source],
  authority_reason: `source:${source}`,
});

/** 0 for the highest. */
const rank = (authority: Authority): number => AUTHORITY_ORDER.indexOf(authority);

/** Positive where the left one is the higher authority, 0 where they are equal. */
export const compareAuthority = (left: Authority, right: Authority): number =>
  rank(right) - rank(left);

export const isAtLeast = (authority: Authority, required: Authority): boolean =>
  compareAuthority(authority, required) >= 0;

/** Two items with the same key say the same thing (SPEC M6). */
export const dedupKey = (eventType: EventType, text: string): string =>
  `${eventType}:${normalText(text)}`;

export const factDedupKey = (factKey: string): string => `fact:${factKey}`;
