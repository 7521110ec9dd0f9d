import type { LoggedEvent } from '#event-store/event-store.js';
import { commandIdOf, type Operation } from '../journal.js';

type Streams = ReadonlyMap<string, readonly LoggedEvent[]>;

/** The event types that only a client's operation adds, never a step of a process manager. */
const ONLY_BY_CLIENTS = new Set([
  ...['wm_inserted', 'wm_referenced', 'ticked', 'goal_set', 'memory_read', 'action_requested'],
  ...['vote_cast', 'interaction_recorded', 'recall_asked', 'fact_deleted', 'query_asked'],
  ...[
    'proposal_revised',
    'span_cleared',
    'question_asked',
    'question_answered',
    'consent_given',
    'consent_revoked',
  ],
  ...['note_put', 'note_deleted', 'checkpoint_put', 'writes_put', 'conversation_items_appended'],
  ...['conversation_popped', 'conversation_cleared'],
]);

/**
 * Compares the operations with the log: an acknowledged one is there exactly once, a refused one not at all,
 * an unknown one at most once, and nothing is there that no client sent (SPEC I7).
 */
export function operationFaults(streams: Streams, operations: readonly Operation[]): string[] {
  const found = new Map<string, Map<string, number>>();
  const foreign: string[] = [];
  const sent = new Set(operations.map(commandIdOf));
  for (const { type, metadata, stream, number } of [...streams.values()].flat()) {
    const types = found.get(metadata.command_id) ?? new Map<string, number>();
    found.set(metadata.command_id, types.set(type, (types.get(type) ?? 0) + 1));
    if (ONLY_BY_CLIENTS.has(type) && !sent.has(metadata.command_id))
      foreign.push(`${type} (event ${number} of ${stream}) belongs to no operation`);
  }
  const wrong = operations.flatMap((operation) => {
    const types = found.get(commandIdOf(operation));
    return Object.entries(operation.adds).flatMap(([type, times]) => {
      const count = types?.get(type) ?? 0;
      return isRight(operation, count, times) ? [] : [describe(operation, type, count)];
    });
  });
  return [...wrong, ...foreign];
}

function isRight({ outcome }: Operation, count: number, times: number): boolean {
  switch (outcome) {
    case 'acknowledged':
      return count === times;
    case 'refused':
      return count === 0;
    case 'unknown':
      return count === 0 || count === times;
  }
}

const describe = (operation: Operation, type: string, count: number): string =>
  `${operation.kind} (${operation.route}, sub ${operation.sub}, key ${operation.key}, ${operation.attempts} attempts` +
  `${operation.code === undefined ? '' : `, last failure ${operation.code}`}) is ${operation.outcome}, and the log has ${count} of its ${type}`;
