import { semDecider } from '#domain/sem/sem.decider.js';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { isSealed } from '#domain/held.js';
import type { SemEvent } from '#domain/sem/events.js';
import { keyOfSemStream } from '#domain/stream-names.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import type { EventRow } from '#read-model/read-table.js';
import { FACT, type FactRow, HISTORY, type HistoryRow, OWNER, type Written } from './tables.js';

/** Current facts, their whole history, and their owners (SPEC §3). */
@Projector({
  name: 'sem',
  version: 6,
  tables: [FACT, HISTORY, OWNER],
  reads: [semDecider],
})
export class SemProjection implements EventProjector<SemEvent> {
  async project(tx: ProjectionTransaction, events: readonly Logged<SemEvent>[]): Promise<void> {
    if (events.length === 0) return;
    const [last] = await HISTORY.find(tx, 'true order by n desc limit 1', []);
    const before = Number(last?.n ?? 0);
    const history = events.map((event, index) => ({
      row: historyRow(event, before + index + 1),
      event,
    }));
    await HISTORY.insert(tx, history);

    // The row of a fact depends only on the key's last event and on the last event that decided its value.
    const lastOf = new Map(events.map((event) => [keyOfSemStream(event.stream), event]));
    const decisive = new Map(
      history.filter(({ row }) => row.is_decisive).map(({ row }) => [row.key, row]),
    );
    const others = [...lastOf.keys()].filter((key) => !decisive.has(key));
    const known = await this.knownFacts(tx, others);
    const facts = [...lastOf].map(([key, event]): EventRow<FactRow> => {
      const row = decisive.get(key);
      const value = row === undefined ? (known.get(key) ?? NO_VALUE) : valueOf(row);
      const { scope, entity_id } = parseKey(key);
      return { row: { ...value, key, scope, entity_id, revision: event.number }, event };
    });
    await FACT.replace(tx, facts);
  }

  private async knownFacts(
    tx: ProjectionTransaction,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, FactRow>> {
    if (keys.length === 0) return new Map();
    const rows = await FACT.find(tx, 'key = any($1::text[])', [keys]);
    return new Map(rows.map((row) => [row.key, row]));
  }
}

type Value = Omit<FactRow, 'key' | 'scope' | 'entity_id' | 'revision'>;

const NOTHING = { held: null, is_sealed: false, notes: null, meta: null };

/** The value of a stream that has only claims. */
const NO_VALUE: Value = { ...NOTHING, timestamp: null, source: null, n: null, is_current: false };

const valueOf = ({ n, type, held, is_sealed, timestamp, source, notes, meta }: HistoryRow) => ({
  ...{ n, held, is_sealed, timestamp, source, notes, meta },
  is_current: type === 'fact_put',
});

function historyRow(event: Logged<SemEvent>, n: number): HistoryRow {
  return {
    n: String(n),
    key: keyOfSemStream(event.stream),
    revision: event.number,
    type: event.type,
    is_decisive:
      (event.type === 'fact_put' || event.type === 'fact_deleted') && !event.data.superseded,
    actor: event.metadata.actor,
    recorded_at: event.metadata.recorded_at,
    position: event.position.toString(),
    ...writtenOf(event),
  };
}

function writtenOf(event: SemEvent): Written {
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
      return { ...NOTHING, timestamp: event.data.timestamp, source: event.data.source };
    case 'key_claimed':
    case 'collision_event':
    case 'collision_closed':
      return { ...NOTHING, timestamp: null, source: null };
  }
}
