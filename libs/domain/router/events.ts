import { type EventSchema, input } from '../decider.js';
import type { AgentId, RouteReason } from './rules.js';

/** The event of `router-<first 16 hex of sha256(sub)>`: one decision of `POST /v1/route` (SPEC R2). */
export type RouterEvent = { readonly type: 'router_decision'; readonly data: RouterDecision };

export type RouterDecision = {
  /** A keyed hash of the text, which itself is not kept (SPEC I7). */
  readonly query_hash: string;
  readonly user_id: string | null;
  /** Null, like the reason, if no rule matched. */
  readonly agent_id: AgentId | null;
  readonly route_reason: RouteReason | null;
  /** The hash of the facts from which the toggles were read. */
  readonly sem_snapshot_hash: string;
  /** The seeded time (SPEC I3). */
  readonly timestamp: string;
};

export const routerSchemas: Readonly<Record<RouterEvent['type'], EventSchema>> = {
  router_decision: input,
};
