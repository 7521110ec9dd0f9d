import { quarantineDecider } from '#domain/reflective-log/quarantine.decider.js';
import { reflectiveLogDecider } from '#domain/reflective-log/reflective-log.decider.js';
import type { ReflectiveLogEvent } from '#domain/reflective-log/events.js';
import type { QuarantineEvent } from '#domain/reflective-log/quarantine.decider.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { rowOf } from './log-row.js';
import { GRANT, LOG, type LogRow, QUARANTINE, REVIEW } from './tables.js';

const DELETE_LOGS = 'delete from reflective_log_stage0 where log_id = any($1::text[])';

type LogChange = Extract<
  ReflectiveLogEvent | QuarantineEvent,
  { readonly type: 'reflective_log_written' | 'log_healed' | 'log_quarantined' }
>;

/** The signed logs as rows, the quarantine, and the requested reviews (SPEC §7). */
@Projector({
  name: 'reflective_logs',
  version: 3,
  tables: [LOG, QUARANTINE, REVIEW, GRANT],
  reads: [reflectiveLogDecider, quarantineDecider],
  types: ['reflective_log_written', 'log_healed', 'log_quarantined'],
})
export class ReflectiveLogsProjection implements EventProjector<LogChange> {
  async project(tx: ProjectionTransaction, events: readonly Logged<LogChange>[]): Promise<void> {
    // Null removes a forged row, which no event made.
    const logs = new Map<string, LogRow | null>();
    for (const event of events) {
      if (event.type !== 'log_quarantined')
        logs.set(event.data.log.log_id, rowOf(event.data, event.position));
      else if (event.data.fault === 'forged' && event.data.log_id !== null)
        logs.set(event.data.log_id, null);
    }
    if (logs.size === 0) return;
    // Any row with one of these ids is replaced, because a forged row must not stop the projection.
    await tx.query(DELETE_LOGS, [[...logs.keys()]]);
    await LOG.insert(
      tx,
      [...logs.values()].filter((row) => row !== null),
    );
  }
}
