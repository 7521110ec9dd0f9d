import { quarantineDecider } from '#domain/reflective-log/quarantine.decider.js';
import { reflectiveLogDecider } from '#domain/reflective-log/reflective-log.decider.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { ReflectiveLogEvent } from '#domain/reflective-log/events.js';
import type { QuarantineEvent } from '#domain/reflective-log/quarantine.decider.js';
import { idOfReflectiveStream } from '#domain/reflective-log/state.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import type { Shown } from '#read-model/read-table.js';
import { rowOf } from './log-row.js';
import {
  GRANT,
  LOG,
  QUARANTINE,
  REVIEW,
  type StoredQuarantine,
  type StoredReview,
  type LogRow,
} from './tables.js';

const DELETE_LOGS = 'delete from reflective_log_stage0 where log_id = any($1::text[])';

type LogEvent = Logged<ReflectiveLogEvent | QuarantineEvent>;
type ReviewResolved = Extract<ReflectiveLogEvent, { type: 'review_resolved' }>['data'];

/** Collects the changes of one batch. */
class Changes {
  /** The new rows by log id; null removes a forged row, which no event made. */
  private readonly logs = new Map<string, Shown<LogRow> | null>();
  private readonly quarantines: Shown<StoredQuarantine>[] = [];
  private readonly reviews = new Map<string, Shown<StoredReview>>();
  /** The resolutions of reviews that an earlier batch wrote. */
  private readonly resolved = new Map<string, { data: ReviewResolved; event: LogEvent }>();

  add(event: LogEvent): void {
    switch (event.type) {
      case 'reflective_log_written':
      case 'log_healed':
        this.logs.set(event.data.log.log_id, { row: rowOf(event.data, event.position), event });
        break;
      case 'log_quarantined':
        this.quarantine(event, event.data);
        break;
      case 'review_requested':
        this.reviews.set(event.data.review_id, { row: reviewRow(event, event.data), event });
        break;
      case 'review_resolved':
        this.resolve(event.data, event);
        break;
      case 'amendment_added':
      case 'feedback_added':
      case 'label_added':
      case 'tags_added':
      case 'council_event':
      case 'pii_redacted':
        break;
    }
  }

  async write(tx: ProjectionTransaction, seals: RowSeals): Promise<void> {
    if (this.logs.size > 0) {
      // Any row with one of these ids is replaced, because a forged row must not stop the projection.
      await tx.query(DELETE_LOGS, [[...this.logs.keys()]]);
      const rows = [...this.logs.values()].filter((row) => row !== null);
      await LOG.insert(tx, seals, rows);
    }
    await QUARANTINE.insert(tx, seals, this.quarantines);
    await REVIEW.replace(tx, seals, await this.reviewRows(tx, seals));
  }

  private resolve(data: ReviewResolved, event: LogEvent): void {
    const requested = this.reviews.get(data.review_id);
    if (requested === undefined) this.resolved.set(data.review_id, { data, event });
    else this.reviews.set(data.review_id, { row: resolved(requested.row, data), event });
  }

  private async reviewRows(
    tx: ProjectionTransaction,
    seals: RowSeals,
  ): Promise<Shown<StoredReview>[]> {
    const rows = [...this.reviews.values()];
    if (this.resolved.size === 0) return rows;
    const ids = [...this.resolved.keys()];
    for (const row of await REVIEW.find(tx, seals, 'review_id = any($1::text[])', [ids])) {
      const resolution = this.resolved.get(row.review_id);
      if (resolution === undefined) continue;
      rows.push({ row: resolved(row, resolution.data), event: resolution.event });
    }
    return rows;
  }

  private quarantine(event: LogEvent, data: QuarantineData): void {
    const { quarantine_id, at, fault, log_id, reason, ...detail } = data;
    if (fault === 'forged' && log_id !== null) this.logs.set(log_id, null);
    const row = {
      ...{ quarantine_id, at, fault, log_id, reason },
      position: event.position.toString(),
      detail: canonicalJson(detail),
    };
    this.quarantines.push({ row, event });
  }
}

type QuarantineData = Extract<LogEvent, { type: 'log_quarantined' }>['data'];
type ReviewData = Extract<ReflectiveLogEvent, { type: 'review_requested' }>['data'];

const reviewRow = ({ position, stream }: LogEvent, data: ReviewData): StoredReview => ({
  review_id: data.review_id,
  position: position.toString(),
  log_id: idOfReflectiveStream(stream),
  requested_at: data.created_at,
  requested_by_sub: data.author.sub,
  requested_by_user_id: data.author.user_id,
  reason: data.reason,
  resolved_at: null,
  amendment_id: null,
  effect: null,
});

const resolved = (
  row: StoredReview,
  { resolved_at, amendment_id, effect }: ReviewResolved,
): StoredReview => ({ ...row, resolved_at, amendment_id, effect });

/** The signed logs as rows, the quarantine, and the requested reviews (SPEC §7). */
@Projector({
  name: 'reflective_logs',
  version: 2,
  tables: [LOG, QUARANTINE, REVIEW, GRANT],
  reads: [reflectiveLogDecider, quarantineDecider],
})
export class ReflectiveLogsProjection implements EventProjector<
  ReflectiveLogEvent | QuarantineEvent
> {
  constructor(private readonly seals: RowSeals) {}

  async project(tx: ProjectionTransaction, events: readonly LogEvent[]): Promise<void> {
    const changes = new Changes();
    for (const event of events) changes.add(event);
    await changes.write(tx, this.seals);
  }
}
