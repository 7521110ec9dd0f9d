import { phaseStartBorder } from './borders.js';
import type { CurrentPhase, PhaseRequest } from './events.js';
import type { PhaseMeta } from './item.js';
import { currentPhase, type Phase, type StoreState } from './state.js';
import type { Unfolding } from './unfolding.js';

export const phaseMeta = ({ phase_id, started_at, reason, name }: Phase): PhaseMeta => ({
  phase_id,
  phase_started_at: started_at,
  phase_reason: reason,
  ...(name === undefined ? {} : { phase_name: name }),
});

/** The current phase as a recall shows it, null where there is none (SPEC M16). */
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

function begin(unfolding: Unfolding, { reason, name, token }: PhaseStart): void {
  const { space, owner, phases, tick } = unfolding.state;
  const phase_index = phases.length + 1;
  unfolding.tell('memory_phase_started', {
    space,
    owner,
    phase_id: `phase-${phase_index}`,
    ...(name === undefined ? {} : { phase_name: name }),
    reason,
    phase_index,
    started_at: tick + 1,
    token,
    max_phases: unfolding.policy.phase.max_phases,
  });
}

/** A token that differs from the store's last one starts the next phase; the same again starts none. */
function request(unfolding: Unfolding, { token, name, reason }: PhaseRequest): void {
  if (token === unfolding.state.token) return;
  begin(unfolding, { reason: reason ?? 'manual', token, ...(name === undefined ? {} : { name }) });
}

function checkStart(unfolding: Unfolding): boolean {
  const { space } = unfolding.state;
  return unfolding.checkBorder('phase_start', phaseStartBorder(unfolding.policy), {
    from_space: space,
  });
}

/** The phase of a recall: only a request makes one, and only where phases are enabled (SPEC M14). */
export function phaseForRecall(unfolding: Unfolding, asked: PhaseRequest | null): void {
  if (asked !== null && checkStart(unfolding)) request(unfolding, asked);
}

/** The phase of a write: a store without one gets its first in any case (SPEC M14). */
export function phaseForWrite(unfolding: Unfolding, asked: PhaseRequest | null): Phase {
  const first = currentPhase(unfolding.state) === undefined;
  if (asked !== null || first) {
    const allowed = checkStart(unfolding);
    if (allowed && asked !== null) request(unfolding, asked);
    else if (first) begin(unfolding, AUTO);
  }
  return currentPhase(unfolding.state) as Phase;
}
