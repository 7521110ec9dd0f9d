import type { JsonObject } from '../../json.js';
import type { MemoryEvent, MemoryTrace } from '../events.js';
import { recallPolicy, type PolicySnapshot } from '../policy.js';

export const TRACE_VERSION = '2024-10-01';

const TRACE_TYPES: readonly string[] = [
  'memory_recall',
  'memory_write',
  'memory_denied',
  'memory_conflict',
  'memory_forget',
  'memory_border_check',
  'memory_promoted',
  'memory_promotion_denied',
  'memory_phase_started',
  'memory_deleted',
  'memory_phase_diff',
] satisfies readonly MemoryTrace['type'][];

export const isTrace = (event: MemoryEvent): event is MemoryTrace =>
  TRACE_TYPES.includes(event.type);

/** Returns the data of a trace event in the contract's form. */
function contractData(trace: MemoryTrace, policy: PolicySnapshot): JsonObject {
  const policy_snapshot = policy;
  const phaseOnly = { policy_snapshot: { phase: policy.phase } };
  switch (trace.type) {
    case 'memory_recall': {
      const { settings, policy_hash: _, ...data } = trace.data;
      return { ...data, policy: recallPolicy(policy, settings) };
    }
    case 'memory_write': {
      const { policy_hash: _, ...data } = trace.data;
      return { ...data, reason: 'interaction_recorded' };
    }
    case 'memory_denied': {
      const { policy_hash: _, tags, ...data } = trace.data;
      const { attempted, reason } = data;
      const { kind, meta } = attempted;
      const explanation = { allowed: false, reason, tags, kind, event_type: meta.event_type };
      return { ...data, policy_snapshot, explanation };
    }
    case 'memory_forget': {
      const { policy_hash: _, kind, event_type, authority, ...data } = trace.data;
      const explanation = { reason: data.reason, kind, event_type, authority };
      return { ...data, policy_snapshot, explanation };
    }
    case 'memory_border_check': {
      const { policy_hash: _, created_at: __, ...data } = trace.data;
      const ofPhases = data.action === 'phase_start' || data.action === 'phase_diff';
      return { ...data, ...(ofPhases ? phaseOnly : { policy_snapshot }) };
    }
    case 'memory_promoted':
    case 'memory_promotion_denied': {
      const { policy_hash: _, ...data } = trace.data;
      return { ...data, policy_snapshot };
    }
    case 'memory_phase_started': {
      const { ai_profile, session, space, owner, phase_id, phase_name, reason } = trace.data;
      const named: JsonObject = phase_name === undefined ? {} : { phase_name };
      return { ai_profile, session, space, owner, phase_id, ...named, reason, ...phaseOnly };
    }
    case 'memory_deleted': {
      const { policy_hash: _, ...data } = trace.data;
      return { ...data, ...phaseOnly };
    }
    case 'memory_conflict':
    case 'memory_phase_diff': {
      const { policy_hash: _, ...data } = trace.data;
      return data;
    }
  }
}

/**
 * Returns a trace event in the contract's form; `policy` must be the policy that the event's hash names
 * (SPEC M18, M20).
 */
export const traceOf = (trace: MemoryTrace, policy: PolicySnapshot): JsonObject => ({
  type: trace.type,
  trace_version: TRACE_VERSION,
  ...contractData(trace, policy),
});
