import { sha256Hex } from '../../determinism/hash.js';
import { readBorder } from '../trace/borders.js';
import { invalidStore } from '../state.js';
import type { Recall } from '../commands.js';
import type { MemoryEvent, MemoryTrace, RecalledItems } from '../events.js';
import { forgetExpired, tracesFrom } from '../retention/forget.js';
import type { MemoryItem, Space } from '../item.js';
import { phaseForRecall, shownPhase } from '../phases/phases.js';
import { NOTHING_RECALLED, recallFromStore } from './recall-from-store.js';
import { REDACTED, shownItem, shownText } from '../utterance/redaction.js';
import type { StoreState } from '../state.js';
import { resolvePolicy, StoreDecision } from '../store-decision.js';

/** The result of a recall. */
export interface RecallOutcome {
  readonly events: readonly MemoryEvent[];
  readonly items: readonly MemoryItem[];
  /** The trace events; empty if the command does not ask for a trace. */
  readonly trace: readonly MemoryTrace[];
}

/** Returns the sha256 of all `kind:id` in the order of the answer, joined by `|` (SPEC M16). */
export const recallHash = (items: readonly MemoryItem[]): string =>
  sha256Hex(items.map(({ kind, id }) => `${kind}:${id}`).join('|'));

type BySpace = readonly (readonly [space: Space, recalled: RecalledItems])[];

const inOrder = (found: BySpace): readonly MemoryItem[] => [
  ...found.flatMap(([, { short_term }]) => short_term),
  ...found.flatMap(([, { semantic }]) => semantic),
  ...found.flatMap(([, { profile }]) => profile),
];

const sizeOf = ({ short_term, semantic, profile }: RecalledItems): number =>
  short_term.length + semantic.length + profile.length;

/**
 * Reads the spaces in read order. For each space, it checks the border, applies retention and then reads
 * the items (SPEC M16).
 */
function readSpaces(decision: StoreDecision, command: Recall, now: number): BySpace {
  const { policy } = decision;
  return policy.spaces.read_order.map((space) => {
    decision.checkBorder('read', readBorder(space, policy), { from_space: space });
    if (space !== decision.state.space) {
      decision.include(tracesFrom(space, command.elsewhere));
      const foreign = command.elsewhere.find((entry) => entry.space === space);
      return [space, foreign?.recalled ?? NOTHING_RECALLED];
    }
    forgetExpired(decision, now);
    return [space, recallFromStore(decision.state, command.query, command.settings, policy, now)];
  });
}

function summary(
  decision: StoreDecision,
  { query, settings }: Recall,
  found: BySpace,
): MemoryTrace {
  const items = inOrder(found);
  const counted = found.flatMap(([space, { phase_counts }]) =>
    phase_counts === null ? [] : [[space, phase_counts] as const],
  );
  return decision.summary('memory_recall', {
    query: 'text' in query ? shownText(query.text) : REDACTED,
    recalled: items.map(shownItem),
    settings,
    deterministic_hash: recallHash(items),
    spaces_consulted: decision.policy.spaces.read_order,
    recall_counts: Object.fromEntries(found.map(([space, recalled]) => [space, sizeOf(recalled)])),
    phase_counts: Object.fromEntries(counted),
    current_phase: shownPhase(decision.state),
  });
}

const CHANGES: readonly MemoryEvent['type'][] = ['memory_phase_started', 'memory_deleted'];

/**
 * Decides a recall (SPEC M16). Without a trace, the recall is recorded only if it changes this store.
 * @throws Refusal INVALID_INPUT for another session's store or an unknown policy.
 */
export function recall(state: StoreState, command: Recall): RecallOutcome {
  const { op: _, policy: __, ...asked } = command;
  const { assistant, owners } = asked;
  if (state.space !== 'session' || state.owner !== owners.session) throw invalidStore(state);
  const { policy, kept } = resolvePolicy(state, command);
  const input: MemoryEvent = { type: 'recall_asked', data: { ...asked, ...kept } };
  const base = { ai_profile: assistant, session: owners.session, policy_hash: kept.policy_hash };
  const decision = new StoreDecision(state, input, base, policy);
  // Retention uses the tick before this recall. The recall may start a phase, which advances the tick (SPEC M10).
  phaseForRecall(decision, command.phase);
  const found = readSpaces(decision, command, state.tick);
  const first = summary(decision, command, found);
  const events = decision.eventsWith(first);
  const isRecorded = command.trace || events.some(({ type }) => CHANGES.includes(type));
  return {
    events: isRecorded ? events : [],
    items: inOrder(found),
    trace: command.trace ? decision.traceWith(first) : [],
  };
}
