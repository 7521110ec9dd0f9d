import type { DeletionData } from '#domain/action-request/erasure.js';
import { idOfRequestStream } from '#domain/action-request/state.js';
import { keyIdOf, partsOfKeyId } from '#domain/privacy/key-id.js';
import { sealedIn } from '#domain/privacy/sealed-in.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import type { Shown } from '#read-model/sealed-table.js';
import { readTables } from '../read-tables.js';
import {
  ERASED_KEY,
  SEALED_VALUE,
  type StoredErasedKey,
  type StoredSealedValue,
} from './tables.js';

/** The events whose values are sealed, by key, and the keys that are erased (SPEC P5, G6). */
@Projector({
  name: 'sealed_values',
  version: 3,
  tables: readTables(import.meta.url),
  categories: ['job', 'sem', 'request', 'note', 'conversation', 'thread'],
  types: new Set([
    'job_started',
    'wm_inserted',
    'episode_written',
    'episode_consolidated',
    'episodic_summary',
    'fact_put',
    'action_requested',
    'proposal_revised',
    'note_put',
    'conversation_items_appended',
    'conversation_items_replaced',
    'checkpoint_put',
    'writes_put',
    'deletion_event',
  ]),
})
export class SealedValuesProjection implements EventProjector {
  constructor(private readonly seals: RowSeals) {}

  async project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void> {
    await SEALED_VALUE.insert(tx, this.seals, events.flatMap(rowsOf));
    await ERASED_KEY.keepFirst(tx, this.seals, events.flatMap(erasedBy));
  }
}

function rowsOf(event: LoggedEvent): Shown<StoredSealedValue>[] {
  const counts = new Map<string, number>();
  for (const sealed of sealedIn(event)) {
    const kid = keyIdOf(sealed);
    counts.set(kid, (counts.get(kid) ?? 0) + 1);
  }
  return [...counts].map(([kid, count]) => ({
    row: {
      kid,
      position: event.position.toString(),
      subject: partsOfKeyId(kid).subject,
      count,
      recorded_at: event.metadata.recorded_at,
    },
    event,
  }));
}

function erasedBy(event: LoggedEvent): Shown<StoredErasedKey>[] {
  if (event.type !== 'deletion_event') return [];
  const { kids } = event.data as unknown as DeletionData;
  const destroyed_by = idOfRequestStream(event.stream);
  return kids.map((kid) => ({ row: { kid, ...partsOfKeyId(kid), destroyed_by }, event }));
}
