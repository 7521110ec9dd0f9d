import type { CouncilMember } from '#agents/council-member.js';
import type { Agents } from '#agents/registry.js';

/** The agents that answer queries and the council that judges the answers (SPEC A1, A3). */
export interface Participants {
  readonly agents: Agents;
  readonly council: readonly CouncilMember[];
  /** Verifies an answer when the council is tied (SPEC G5). */
  readonly verifier: CouncilMember;
}
