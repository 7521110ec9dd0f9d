import type { Decider } from '../decider.js';
import { piiRedacted } from '../privacy/redactions.js';
import {
  type AdminAccess,
  auditSchemas,
  type AuditEvent,
  type CommandRefused,
  type DataIntegrityWarning,
} from './events.js';

interface AuditState {
  /** The number of the caller's refusals, including those that were only counted. */
  readonly refusals: number;
}

type RecordAudit =
  | ({ readonly type: 'record_refusal' } & CommandRefused)
  | ({ readonly type: 'record_integrity_warning' } & DataIntegrityWarning)
  | ({ readonly type: 'record_access' } & AdminAccess);

function decideAudit(command: RecordAudit): AuditEvent[] {
  switch (command.type) {
    case 'record_refusal': {
      const { type: _, ...data } = command;
      return [{ type: 'command_refused', data }];
    }
    case 'record_integrity_warning': {
      const { type: _, ...data } = command;
      return [{ type: 'data_integrity_warning', data }];
    }
    case 'record_access': {
      const { type: _, ...data } = command;
      return [{ type: 'admin_access_event', data }, ...piiRedacted('access', data.redactions)];
    }
  }
}

function commandOf(input: AuditEvent): RecordAudit {
  switch (input.type) {
    case 'command_refused':
      return { type: 'record_refusal', ...input.data };
    case 'data_integrity_warning':
      return { type: 'record_integrity_warning', ...input.data };
    case 'admin_access_event':
      return { type: 'record_access', ...input.data };
    case 'pii_redacted':
      throw new TypeError('pii_redacted is an outcome, not an input');
  }
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
  decide: decideAudit,
  commandOf,
  resultOf: () => null,
};
