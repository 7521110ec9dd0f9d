import type { JobCommand } from '#domain/job/commands.js';
import type { LogContent } from '#domain/reflective-log/content.js';
import type { JobOperation } from './dto/job-operations.dto.js';

/**
 * The domain's commands for a batch. `commands[i]` belongs to the operation with the index `indexes[i]`.
 */
export interface JobCommands {
  readonly commands: readonly JobCommand[];
  readonly indexes: readonly number[];
}

function commandsOf(operation: JobOperation, account: LogContent | undefined): JobCommand[] {
  switch (operation.op) {
    case 'tick':
      // A tick with `count` N equals N single ticks (SPEC J3).
      return Array.from({ length: operation.count ?? 1 }, () => ({ op: 'tick' }));
    case 'episodic_write':
      return [
        {
          op: 'episodic_write',
          source: operation.source ?? 'agent',
          summary: operation.summary,
          payload: operation.payload ?? null,
          evidence: operation.evidence ?? [],
        },
      ];
    case 'wm_insert':
    case 'wm_reference':
    case 'cwm_reference':
    case 'goal':
      return [{ ...operation }];
    case 'end':
      return [account === undefined ? { op: 'end' } : { op: 'end', reflective_log: account }];
  }
}

/**
 * Returns the domain's commands for a batch of operations, in order. @param account the ReflectiveLog
 * that the runtime sent with the end, after the service has checked it (SPEC L7).
 */
export function jobCommands(
  operations: readonly JobOperation[],
  account: LogContent | undefined,
): JobCommands {
  const commands: JobCommand[] = [];
  const indexes: number[] = [];
  operations.forEach((operation, index) => {
    for (const command of commandsOf(operation, account)) {
      commands.push(command);
      indexes.push(index);
    }
  });
  return { commands, indexes };
}
