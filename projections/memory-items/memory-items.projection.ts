import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { Json } from '#domain/json.js';
import type { ItemStored, MemoryEvent } from '#domain/memory-contract/events.js';
import { storeOfStream } from '#domain/memory-contract/owners.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { readTables } from '../read-tables.js';

const UPSERT_STORES = `
  insert into store
  select * from json_to_recordset($1::json) as row (
    stream text, space text, owner text, tick bigint, revision int)
  on conflict (stream) do update
    set tick = greatest(store.tick, excluded.tick), revision = excluded.revision`;

const INSERT_ITEMS = `
  insert into item
    (id, stream, kind, created_at, dedup_key, summary_after, item, retention, stored_number)
  select * from json_to_recordset($1::json) as row (
    id text, stream text, kind text, created_at bigint, dedup_key text, summary_after text,
    item text, retention text, stored_number int)`;

const DELETE_ITEMS = `
  update item set
    deleted_number = gone.number, deleted_reason = gone.reason, replaced_by = gone.replaced_by
  from json_to_recordset($1::json) as gone (id text, number int, reason text, replaced_by text)
  where item.id = gone.id and item.deleted_number is null`;

const INSERT_PHASES = `
  insert into phase
  select * from json_to_recordset($1::json) as row (
    stream text, phase_index int, phase_id text, started_at bigint, reason text, name text, number int)`;

const INSERT_POLICIES = `
  insert into policy
  select * from json_to_recordset($1::json) as row (policy_hash text, policy text)
  on conflict do nothing`;

interface StoreRow {
  readonly stream: string;
  readonly space: string;
  readonly owner: string;
  tick: number;
  revision: number;
}

/** Collects the changes of one batch. */
class Changes {
  private readonly stores = new Map<string, StoreRow>();
  private readonly items: object[] = [];
  private readonly deletions: object[] = [];
  private readonly phases: object[] = [];
  private readonly policies = new Map<string, PolicySnapshot>();

  add(logged: LoggedEvent): void {
    const event = logged as unknown as MemoryEvent;
    const { stream, number } = logged;
    this.noteStore(logged, tickOf(event));
    switch (event.type) {
      case 'item_stored':
        this.items.push(itemRow(logged, event.data));
        break;
      case 'memory_deleted': {
        const { memory_id: id, reason, replaced_by = null } = event.data;
        this.deletions.push({ id, number, reason, replaced_by });
        break;
      }
      case 'memory_phase_started': {
        const { phase_id, phase_index, started_at, reason, phase_name: name = null } = event.data;
        this.phases.push({ stream, phase_index, phase_id, started_at, reason, name, number });
        break;
      }
      case 'interaction_recorded':
      case 'recall_asked':
      case 'promotion_received':
      case 'retention_applied': {
        const { policy_hash, policy } = event.data;
        if (policy !== undefined) this.policies.set(policy_hash, policy);
        break;
      }
      default:
        break;
    }
  }

  /**
   * Writes the changes. Items come before deletions, because one batch may store and delete the same
   * item.
   */
  async write(tx: ProjectionTransaction): Promise<void> {
    const policies = [...this.policies].map(([policy_hash, policy]) => ({
      policy_hash,
      policy: canonicalJson(policy as unknown as Json),
    }));
    for (const [statement, rows] of [
      [UPSERT_STORES, [...this.stores.values()]],
      [INSERT_ITEMS, this.items],
      [DELETE_ITEMS, this.deletions],
      [INSERT_PHASES, this.phases],
      [INSERT_POLICIES, policies],
    ] as const)
      if (rows.length > 0) await tx.query(statement, [JSON.stringify(rows)]);
  }

  private noteStore({ stream, number }: LoggedEvent, tick: number): void {
    const known = this.stores.get(stream);
    if (known !== undefined) {
      known.tick = Math.max(known.tick, tick);
      known.revision = number;
      return;
    }
    this.stores.set(stream, { stream, ...storeOfStream(stream), tick, revision: number });
  }
}

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

const itemRow = ({ stream, number }: LoggedEvent, { item, retention }: ItemStored): object => ({
  id: item.id,
  stream,
  kind: item.kind,
  created_at: item.created_at,
  dedup_key: item.meta.dedup_key,
  summary_after: item.meta.summary_of === undefined ? null : (item.meta.summary_after ?? ''),
  item: canonicalJson(item),
  retention: canonicalJson(retention),
  stored_number: number,
});

/**
 * The stores of the Memory Contract: items, phases with their ledgers, policies (SPEC §11). Decisions
 * are not projected: they are most of the data and are read in log order, so readers take them from the
 * log.
 */
@Projector({
  name: 'memory_items',
  version: 2,
  tables: readTables(import.meta.url),
  categories: ['memory'],
})
export class MemoryItemsProjection implements EventProjector {
  async project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void> {
    const changes = new Changes();
    for (const event of events) changes.add(event);
    await changes.write(tx);
  }
}
