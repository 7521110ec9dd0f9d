import type { Decider } from '../decider.js';
import { sha256Hex } from '../determinism/hash.js';
import {
  auditSchemas,
  type AuditEvent,
  type CommandRefused,
  type DataIntegrityWarning,
} from './events.js';

/** The stream of a caller's refused commands (SPEC I1). */
export const auditStream = (sub: string): string => `audit-${sha256Hex(sub).slice(0, 16)}`;

interface AuditState {
  /** The number of the caller's refusals, including those that were only counted. */
  readonly refusals: number;
}

type RecordAudit =
  | ({ readonly type: 'record_refusal' } & CommandRefused)
  | ({ readonly type: 'record_integrity_warning' } & DataIntegrityWarning);

function decideAudit({ type, ...data }: RecordAudit): AuditEvent {
  return type === 'record_refusal'
    ? { type: 'command_refused', data: data as CommandRefused }
    : { type: 'data_integrity_warning', data: data as DataIntegrityWarning };
}

/**
 * The decider of `audit-<hash of sub>`. It accepts every `RecordAudit` command and never throws a
 * refusal (SPEC I1).
 */
export const auditDecider: Decider<AuditState, RecordAudit, AuditEvent> = {
  category: 'audit',
  schemas: auditSchemas,
  initialState: () => ({ refusals: 0 }),
  evolve: (state, event) =>
    event.type === 'command_refused'
      ? { refusals: state.refusals + 1 + event.data.uncounted_before }
      : state,
  decide: (command) => [decideAudit(command)],
  commandOf: (input) =>
    input.type === 'command_refused'
      ? { type: 'record_refusal', ...input.data }
      : { type: 'record_integrity_warning', ...input.data },
  resultOf: () => null,
};
