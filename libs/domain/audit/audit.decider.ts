import type { Decider } from '../decider.js';
import { sha256Hex } from '../determinism/hash.js';
import { auditSchemas, type AuditEvent } from './events.js';

/** Where a caller's refused commands are kept (SPEC I1). */
export const auditStream = (sub: string): string => `audit-${sha256Hex(sub).slice(0, 16)}`;

export interface AuditState {
  /** Every refusal of the caller, also those that were only counted. */
  readonly refusals: number;
}

export type RecordRefusal = AuditEvent['data'] & { readonly type: 'record_refusal' };

/** `audit-<hash of sub>`: nothing is refused here, and nothing is left out (SPEC I1). */
export const auditDecider: Decider<AuditState, RecordRefusal, AuditEvent> = {
  category: 'audit',
  schemas: auditSchemas,
  initialState: () => ({ refusals: 0 }),
  evolve: (state, event) => ({ refusals: state.refusals + 1 + event.data.uncounted_before }),
  decide: ({ code, route, stream, uncounted_before }) => [
    { type: 'command_refused', data: { code, route, stream, uncounted_before } },
  ],
  commandOf: (input) => ({ type: 'record_refusal', ...input.data }),
  resultOf: () => null,
};
