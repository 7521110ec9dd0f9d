import { Refusal } from './refusal.js';

/** The rules that say who may do what, in words for the developer_message. The keys are the ids of SPEC. */
const RULES = {
  A1: 'confirmation by the person',
  A3: 'who asks for a review',
  A4: 'the end of a query',
  E2: 'who reads an episode',
  G2: 'independent votes',
  G6: 'the order of an erasure',
  G7: 'who reads personal data',
  G8: 'changes of a proposal',
  G9: 'votes on high risk',
  I9: 'ownership',
  P4: 'consent',
  S1: 'who reads a fact',
  S2: 'the source of a fact',
  S4: 'who writes a fact',
  S5: 'who deletes a fact',
} as const;

/**
 * Refuses an action that is not allowed. `action` is a verb phrase for the developer_message, with keys and ids only.
 * @throws Refusal PERMISSION_DENIED if `allowed` is false.
 */
export function permit(allowed: boolean, action: string, rule: keyof typeof RULES): void {
  if (!allowed) throw new Refusal('PERMISSION_DENIED', { action, rule: RULES[rule] });
}
