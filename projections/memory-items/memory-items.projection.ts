import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { ItemStored, MemoryEvent } from '#domain/memory-contract/events.js';
import { storeOfStream } from '#domain/memory-contract/owners.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import type { Shown } from '#read-model/read-table.js';
import {
  ITEM,
  type ItemRow,
  PHASE,
  type PhaseStart,
  POLICY,
  type PolicyRow,
  STORE,
  type StoreRow,
} from './tables.js';

interface Deletion {
  readonly reason: string;
  readonly replaced_by: string | null;
  readonly event: LoggedEvent;
}

/** Collects the changes of one batch. */
class Changes {
  /** The largest tick and the last event of each store. */
  private readonly stores = new Map<string, { tick: number; event: LoggedEvent }>();
  private readonly items = new Map<string, Shown<ItemRow>>();
  /** The first deletion of each item that an earlier batch stored. */
  private readonly deletions = new Map<string, Deletion>();
  private readonly phases: Shown<PhaseStart>[] = [];
  private readonly policies = new Map<string, Shown<PolicyRow>>();

  add(event: Logged<MemoryEvent>): void {
    const { stream, number } = event;
    const tick = Math.max(this.stores.get(stream)?.tick ?? 0, tickOf(event));
    this.stores.set(stream, { tick, event });
    switch (event.type) {
      case 'item_stored':
        this.items.set(event.data.item.id, { row: itemRow(event, event.data), event });
        break;
      case 'memory_deleted': {
        const { memory_id: id, reason, replaced_by = null } = event.data;
        this.delete(id, { reason, replaced_by, event });
        break;
      }
      case 'memory_phase_started': {
        const { phase_id, phase_index, started_at, reason, phase_name: name = null } = event.data;
        const row = {
          stream,
          phase_index,
          phase_id,
          started_at: String(started_at),
          reason,
          name,
          number,
        };
        this.phases.push({ row, event });
        break;
      }
      case 'interaction_recorded':
      case 'recall_asked':
      case 'promotion_received':
      case 'retention_applied': {
        const { policy_hash, policy } = event.data;
        if (policy !== undefined && !this.policies.has(policy_hash))
          this.policies.set(policy_hash, { row: policyRow(policy_hash, policy), event });
        break;
      }
      default:
        break;
    }
  }

  async write(tx: ProjectionTransaction, seals: RowSeals): Promise<void> {
    await STORE.replace(tx, seals, await this.storeRows(tx, seals));
    await ITEM.replace(tx, seals, await this.itemRows(tx, seals));
    await PHASE.insert(tx, seals, this.phases);
    await POLICY.keepFirst(tx, seals, [...this.policies.values()]);
  }

  private delete(id: string, deletion: Deletion): void {
    const stored = this.items.get(id);
    if (stored === undefined) {
      if (!this.deletions.has(id)) this.deletions.set(id, deletion);
    } else if (stored.row.deleted_number === null)
      this.items.set(id, deleted(stored.row, deletion));
  }

  private async storeRows(tx: ProjectionTransaction, seals: RowSeals): Promise<Shown<StoreRow>[]> {
    const streams = [...this.stores.keys()];
    const known = await STORE.find(tx, seals, 'stream = any($1::text[])', [streams]);
    const ticks = new Map(known.map(({ stream, tick }) => [stream, Number(tick)]));
    return [...this.stores].map(([stream, { tick: batchTick, event }]) => {
      const tick = Math.max(ticks.get(stream) ?? 0, batchTick);
      return {
        row: { stream, ...storeOfStream(stream), tick: String(tick), revision: event.number },
        event,
      };
    });
  }

  private async itemRows(tx: ProjectionTransaction, seals: RowSeals): Promise<Shown<ItemRow>[]> {
    const rows = [...this.items.values()];
    if (this.deletions.size === 0) return rows;
    const ids = [...this.deletions.keys()];
    for (const row of await ITEM.find(tx, seals, 'id = any($1::text[])', [ids])) {
      const deletion = this.deletions.get(row.id);
      if (deletion !== undefined && row.deleted_number === null) rows.push(deleted(row, deletion));
    }
    return rows;
  }
}

/** Returns an item's row after its deletion. */
function deleted(row: ItemRow, { reason, replaced_by, event }: Deletion): Shown<ItemRow> {
  const deletion = { deleted_number: event.number, deleted_reason: reason, replaced_by };
  return { row: { ...row, ...deletion }, event };
}

const policyRow = (policy_hash: string, policy: PolicySnapshot): PolicyRow => ({
  policy_hash,
  policy: canonicalJson(policy),
});

/** Returns the tick that an event used; 0 if it used none (SPEC M1). */
function tickOf(event: MemoryEvent): number {
  switch (event.type) {
    case 'item_stored':
      return event.data.item.created_at;
    case 'promotion_settled':
      return event.data.created_at;
    case 'memory_border_check':
      return event.data.created_at ?? 0;
    case 'memory_phase_started':
      return event.data.started_at;
    default:
      return 0;
  }
}

const itemRow = ({ stream, number }: LoggedEvent, { item, retention }: ItemStored): ItemRow => ({
  id: item.id,
  stream,
  kind: item.kind,
  created_at: String(item.created_at),
  dedup_key: item.meta.dedup_key,
  summary_after: item.meta.summary_of === undefined ? null : (item.meta.summary_after ?? ''),
  item: canonicalJson(item),
  retention: canonicalJson(retention),
  stored_number: number,
  deleted_number: null,
  deleted_reason: null,
  replaced_by: null,
});

/**
 * The stores of the Memory Contract: items, phases with their ledgers, policies (SPEC §11). Decisions
 * are not projected: they are most of the data and are read in log order, so readers take them from the
 * log.
 */
@Projector({
  name: 'memory_items',
  version: 3,
  tables: [STORE, ITEM, PHASE, POLICY],
  reads: [memoryDecider],
})
export class MemoryItemsProjection implements EventProjector<MemoryEvent> {
  constructor(private readonly seals: RowSeals) {}

  async project(tx: ProjectionTransaction, events: readonly Logged<MemoryEvent>[]): Promise<void> {
    const changes = new Changes();
    for (const event of events) changes.add(event);
    await changes.write(tx, this.seals);
  }
}
