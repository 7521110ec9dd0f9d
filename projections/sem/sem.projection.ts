import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { isSealed } from '#domain/held.js';
import type { SemEvent } from '#domain/sem/events.js';
import { isSemStream, keyOfSemStream } from '#domain/sem/state.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { readTables } from '../read-tables.js';

const LAST_ORDINAL = 'select coalesce(max(n), 0) as n from history';

const INSERT_HISTORY = `
  insert into history
  select * from json_to_recordset($1::json) as row (
    n bigint, key text, revision int, type text, is_decisive boolean, held text, is_sealed boolean,
    timestamp text, source text, notes text, meta text, actor text, recorded_at text)`;

const UPSERT_FACTS = `
  insert into fact
  select * from json_to_recordset($1::json) as row (
    key text, scope text, entity_id text, revision int, n bigint, is_current boolean, held text,
    is_sealed boolean, timestamp text, source text, notes text, meta text)
  on conflict (key) do update set revision = excluded.revision, n = excluded.n,
    is_current = excluded.is_current, held = excluded.held, is_sealed = excluded.is_sealed,
    timestamp = excluded.timestamp, source = excluded.source, notes = excluded.notes,
    meta = excluded.meta`;

const UPSERT_REVISIONS = `
  insert into fact (key, scope, entity_id, revision)
  select * from json_to_recordset($1::json) as row (
    key text, scope text, entity_id text, revision int)
  on conflict (key) do update set revision = excluded.revision`;

const INSERT_OWNERS = `
  insert into owner select * from json_to_recordset($1::json) as row (slug text, raw_id text)
  on conflict do nothing`;

/** Current facts, their whole history, and their owners (SPEC §3). */
@Projector({
  name: 'sem',
  version: 3,
  tables: readTables(import.meta.url),
  categories: ['sem', 'owner'],
})
export class SemProjection implements EventProjector {
  async project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void> {
    await projectFacts(
      tx,
      events.filter(({ stream }) => isSemStream(stream)),
    );
    await projectOwners(tx, events);
  }
}

interface HistoryRow extends Written {
  readonly n: number;
  readonly key: string;
  readonly revision: number;
  readonly type: string;
  readonly is_decisive: boolean;
  readonly actor: string;
  readonly recorded_at: string;
}

async function projectFacts(tx: ProjectionTransaction, events: readonly LoggedEvent[]) {
  if (events.length === 0) return;
  const [last] = await tx.query<{ n: string }>(LAST_ORDINAL);
  const before = Number(last?.n);
  const rows = events.map((event, index) => historyRow(event, before + index + 1));
  await tx.query(INSERT_HISTORY, [JSON.stringify(rows)]);

  // The row of a fact depends only on the key's last event and on the last event that decided its value.
  const revisions = new Map(rows.map((row) => [row.key, row.revision]));
  const decisive = new Map(rows.filter((row) => row.is_decisive).map((row) => [row.key, row]));
  const facts = [...decisive.values()].map((row) => ({
    ...row,
    ...partsOf(row.key),
    revision: revisions.get(row.key),
    is_current: row.type === 'fact_put',
  }));
  const others = [...revisions].filter(([key]) => !decisive.has(key));
  if (facts.length > 0) await tx.query(UPSERT_FACTS, [JSON.stringify(facts)]);
  if (others.length > 0) {
    const seen = others.map(([key, revision]) => ({ key, revision, ...partsOf(key) }));
    await tx.query(UPSERT_REVISIONS, [JSON.stringify(seen)]);
  }
}

function historyRow(event: LoggedEvent, n: number): HistoryRow {
  const semEvent = event as unknown as SemEvent;
  return {
    n,
    key: keyOfSemStream(event.stream),
    revision: event.number,
    type: event.type,
    is_decisive:
      (semEvent.type === 'fact_put' || semEvent.type === 'fact_deleted') &&
      !semEvent.data.superseded,
    actor: event.metadata.actor,
    recorded_at: event.metadata.recorded_at,
    ...writtenOf(semEvent),
  };
}

interface Written {
  readonly held: string | null;
  readonly is_sealed: boolean;
  readonly timestamp: string | null;
  readonly source: string | null;
  readonly notes: string | null;
  readonly meta: string | null;
}

function writtenOf(event: SemEvent): Written {
  const nothing = { held: null, is_sealed: false, notes: null, meta: null };
  switch (event.type) {
    case 'fact_put': {
      const { data } = event;
      return {
        held: canonicalJson(isSealed(data) ? data.sealed : data.value),
        is_sealed: isSealed(data),
        timestamp: data.timestamp,
        source: data.source,
        notes: data.notes,
        meta: data.meta === null ? null : canonicalJson(data.meta),
      };
    }
    case 'fact_deleted':
      return { ...nothing, timestamp: event.data.timestamp, source: event.data.source };
    case 'key_claimed':
    case 'collision_event':
      return { ...nothing, timestamp: null, source: null };
  }
}

const partsOf = (key: string): { scope: string; entity_id: string } => {
  const [scope = '', , entity_id = ''] = key.split('/');
  return { scope, entity_id };
};

async function projectOwners(tx: ProjectionTransaction, events: readonly LoggedEvent[]) {
  const claims = events.filter(({ type }) => type === 'owner_claimed').map(({ data }) => data);
  if (claims.length > 0) await tx.query(INSERT_OWNERS, [JSON.stringify(claims)]);
}
