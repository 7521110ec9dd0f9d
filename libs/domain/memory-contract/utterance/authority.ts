import type { Authority, EventType, Source } from '../item.js';
import { normalText } from './text.js';

/** All authorities, from the highest to the lowest, unless a policy has another order (SPEC M6). */
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

export const authorityOf = (source: Source) => ({
  authority: BY_SOURCE[source],
  authority_reason: `source:${source}`,
});

/**
 * Compares two authorities by a policy's order. The result is positive if `left` is higher, and 0 if they are
 * equal.
 */
export const compareAuthority = (
  left: Authority,
  right: Authority,
  order: readonly Authority[],
): number => order.indexOf(right) - order.indexOf(left);

export const isAtLeast = (
  authority: Authority,
  required: Authority,
  order: readonly Authority[],
): boolean => compareAuthority(authority, required, order) >= 0;

/** Returns the key of a text; two items of one kind with the same key conflict (SPEC M6). */
export const dedupKey = (eventType: EventType, text: string): string =>
  `${eventType}:${normalText(text)}`;

export const factDedupKey = (factKey: string): string => `fact:${factKey}`;
