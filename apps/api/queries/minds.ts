import type { CouncilMember } from '#agents/council-member.js';
import type { Agents } from '#agents/registry.js';

/** Who answers queries and who judges the answers: everything outside that a query may hear (SPEC A1, A3). */
export interface Minds {
  readonly agents: Agents;
  readonly council: readonly CouncilMember[];
  /** Makes the one verification pass where the council is divided (SPEC G5). */
  readonly verifier: CouncilMember;
}
