import type { RouteReason } from './rules.js';

/**
 * The summary of a query's plan that logs show (002 §A). Stage-0 has one level and finds no query urgent.
 * @param route_reason null if no rule matched
 */
export const qcpSummary = (route_reason: RouteReason | null) => ({
  depth_level: 1,
  intent_tags: route_reason === null ? [] : [route_reason],
  urgency: 'normal' as const,
});
