import type { StoredAuditEntry } from '#projections/oversight/oversight.projection.js';
import { PositionText, Whole } from '../platform/http/fields.js';
import { ReadRequest } from '../platform/http/request.js';
import type { Answer } from '../platform/http/answer.js';

/** A read of a list page by page, the newest first. */
export abstract class NewestFirst<Body> extends ReadRequest<Answer<Body>> {
  @PositionText({ optional: true, description: 'The `next_cursor` of the page before.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
}

/** Returns what an entry shows, with the event as its receipt. */
export const entryOf = <Data>(row: StoredAuditEntry) => {
  const { sub, recorded_at, trace_id, stream, number, position, event_hash: hash } = row;
  const event = { stream, number, position, hash };
  return { ...(JSON.parse(row.data) as Data), sub, recorded_at, trace_id, event };
};
