import { Refusal } from '../errors/refusal.js';
import type { JsonObject } from '../json.js';
import type { Verdict } from '../privacy/finding.js';
import { requireClear } from '../privacy/require-clear.js';
import { ROUTER_RULES, type AgentId, type RouteReason, type RouterRule } from './rules.js';
import type { RouterToggles } from './toggles.js';

/** Everything that a route depends on (SPEC R1). */
export interface RouteRequest {
  readonly query_text: string;
  readonly user_id?: string;
  /**
   * Tags that are kept with the request and with a missed route. The rules of Stage-0 do not read them
   * (SPEC R1, R2).
   */
  readonly context_tags?: JsonObject;
  readonly toggles: RouterToggles;
  /** The privacy gate's verdict on `query_text`. */
  readonly verdict: Verdict;
}

export interface Route {
  readonly agent_id: AgentId;
  readonly route_reason: RouteReason;
  /** The number of routing passes; Stage-0 makes one. */
  readonly depth: 1;
}

/** Normalises a text for the hash of a missed route: trimmed, lower-cased, white space folded. */
export const foldQuery = (query_text: string): string =>
  query_text.trim().toLowerCase().replace(/\s+/g, ' ');

/**
 * Routes a query by the first rule that is on and matches (SPEC R1); undefined if no rule matches and the
 * fallback is off. @throws Refusal PRIVACY_BLOCKED for a query that the gate flags, whatever the toggles.
 */
export function findRoute({
  query_text,
  user_id,
  toggles,
  verdict,
}: RouteRequest): Route | undefined {
  requireClear(verdict, 'query_text');
  const text = query_text.trim();
  const matching = ROUTER_RULES.find(
    (rule) => toggles[rule.route_reason] !== false && matches(rule, text, user_id),
  );
  return matching && { agent_id: matching.agent_id, route_reason: matching.route_reason, depth: 1 };
}

/** Routes a query as `findRoute` does. @throws Refusal ROUTER_NO_MATCH as well. */
export function route(request: RouteRequest): Route {
  const found = findRoute(request);
  if (found === undefined) throw new Refusal('ROUTER_NO_MATCH');
  return found;
}

// An empty user_id counts as no user, as in the pseudocode of 002 §Router 6.
const matches = (rule: RouterRule, text: string, user_id: string | undefined): boolean =>
  (!rule.needs_user || Boolean(user_id)) && rule.patterns.every((pattern) => pattern.test(text));
