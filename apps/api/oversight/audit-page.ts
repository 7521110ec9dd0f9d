import type { StoredAuditEntry } from '#projections/oversight/oversight.projection.js';

/** Returns what an entry shows, with the event as its receipt. */
export const entryOf = <Data>(row: StoredAuditEntry) => {
  const { sub, recorded_at, trace_id, stream, number, position, event_hash: hash } = row;
  const event = { stream, number, position, hash };
  return { ...(JSON.parse(row.data) as Data), sub, recorded_at, trace_id, event };
};

interface Page {
  readonly rows: readonly StoredAuditEntry[];
  readonly next_cursor: string | null;
}

export const pageOf = (found: readonly StoredAuditEntry[], limit: number): Page => {
  const rows = found.slice(0, limit);
  return { rows, next_cursor: found.length > limit ? (rows.at(-1)?.position ?? null) : null };
};
