import type { AnsweredBy, Decider } from '../decider.js';
import { seededBase, seededTimestamp } from '../determinism/seeded-clock.js';
import { routerSchemas, type RouterDecision, type RouterEvent } from './events.js';

interface RouterState {
  /** The start of the stream's seeded time, in milliseconds since 1970 (SPEC I3). */
  readonly seeded_base: number;
  readonly decisions: number;
}

/**
 * A decision that the caller of this decider has already made with `route`, because the log does not
 * keep the query's text.
 */
export type RecordDecision = Omit<RouterDecision, 'timestamp'> & {
  readonly type: 'record_decision';
} & AnsweredBy<Pick<RouterDecision, 'agent_id' | 'route_reason'> & { readonly depth: number }>;

/** The decider of `router-<hash of sub>`, which records every decision with its seeded time (SPEC R2). */
export const routerDecider: Decider<RouterState, RecordDecision, RouterEvent> = {
  category: 'router',
  schemas: routerSchemas,
  initialState: (stream) => ({ seeded_base: seededBase(stream), decisions: 0 }),
  evolve: (state) => ({ ...state, decisions: state.decisions + 1 }),
  decide: ({ type: _, ...decision }, { seeded_base, decisions }) => [
    {
      type: 'router_decision',
      data: { ...decision, timestamp: seededTimestamp(seeded_base, decisions) },
    },
  ],
  commandOf: ({ data: { timestamp: _, ...decision } }) => ({
    type: 'record_decision',
    ...decision,
  }),
  resultOf: ({ data: { agent_id, route_reason } }) => ({ agent_id, route_reason, depth: 1 }),
};
