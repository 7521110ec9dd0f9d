import { phaseStartBorder } from '../trace/borders.js';
import type { CurrentPhase, PhaseRequest } from '../events.js';
import type { PhaseMeta } from '../item.js';
import { currentPhase, type Phase, type StoreState } from '../state.js';
import type { StoreDecision } from '../store-decision.js';

export const phaseMeta = ({ phase_id, started_at, reason, name }: Phase): PhaseMeta => ({
  phase_id,
  phase_started_at: started_at,
  phase_reason: reason,
  ...(name === undefined ? {} : { phase_name: name }),
});

/** Returns the current phase as a recall shows it; null before the first phase (SPEC M16). */
export function shownPhase(state: StoreState): CurrentPhase | null {
  const phase = currentPhase(state);
  return phase === undefined ? null : { ...phaseMeta(phase), phase_index: phase.phase_index };
}

interface PhaseStart {
  readonly reason: string;
  readonly name?: string;
  readonly token: string | null;
}

const AUTO: PhaseStart = { reason: 'auto', token: null };

function begin(decision: StoreDecision, { reason, name, token }: PhaseStart): void {
  const { space, owner, phases, tick } = decision.state;
  const phase_index = phases.length + 1;
  decision.trace('memory_phase_started', {
    space,
    owner,
    phase_id: `phase-${phase_index}`,
    ...(name === undefined ? {} : { phase_name: name }),
    reason,
    phase_index,
    started_at: tick + 1,
    token,
    max_phases: decision.policy.phase.max_phases,
  });
}

/** Starts the requested phase unless its token equals the store's last token. */
function startRequested(decision: StoreDecision, { token, name, reason }: PhaseRequest): void {
  if (token === decision.state.token) return;
  begin(decision, { reason: reason ?? 'manual', token, ...(name === undefined ? {} : { name }) });
}

function checkStart(decision: StoreDecision): boolean {
  const { space } = decision.state;
  return decision.checkBorder('phase_start', phaseStartBorder(decision.policy), {
    from_space: space,
  });
}

/** Starts the phase that a recall requests, if the policy enables phases (SPEC M14). */
export function phaseForRecall(decision: StoreDecision, asked: PhaseRequest | null): void {
  if (asked !== null && checkStart(decision)) startRequested(decision, asked);
}

/**
 * Returns the phase of a write, and starts a new phase if the write requests one. A store without a
 * phase gets its first one even if the policy disables phases (SPEC M14).
 */
export function phaseForWrite(decision: StoreDecision, asked: PhaseRequest | null): Phase {
  const first = currentPhase(decision.state) === undefined;
  if (asked !== null || first) {
    const allowed = checkStart(decision);
    if (allowed && asked !== null) startRequested(decision, asked);
    else if (first) begin(decision, AUTO);
  }
  return currentPhase(decision.state) as Phase;
}
