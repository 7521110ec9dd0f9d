import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { ReflectiveLogEvent } from '#domain/reflective-log/events.js';
import type { QuarantineEvent } from '#domain/reflective-log/quarantine.decider.js';
import { idOfReflectiveStream } from '#domain/reflective-log/state.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { readTables } from '../read-tables.js';
import { rowOf } from './log-row.js';

const COLUMNS = `log_id text, position bigint, created_at text, source text, query_id text,
  query_text_hash text, qcp_summary text, agents_invoked text, agent_outputs text,
  council_votes text, final_answer text, final_confidence double precision, repair_loops int,
  cache_hit boolean, sem_snapshot_hash text, runtime_metrics text, system_version text,
  job_seed text, stream_head_hash text, episodic_snapshot_id text, brainstate_snapshot_id text,
  evidence text, redactions text, signature_key_id text, signature text, origin text,
  owner_sub text, owner_user_id text, owner_user_folded text`;

const INSERT_LOGS = `insert into reflective_log_stage0
  select * from json_to_recordset($1::json) as row (${COLUMNS})`;

const DELETE_LOGS = 'delete from reflective_log_stage0 where log_id = any($1::text[])';

const INSERT_QUARANTINES = `insert into quarantine
  select * from json_to_recordset($1::json) as row (
    quarantine_id text, position bigint, at text, fault text, log_id text, reason text, detail text)`;

const INSERT_REVIEWS = `insert into review
  (review_id, position, log_id, requested_at, requested_by_sub, requested_by_user_id, reason)
  select * from json_to_recordset($1::json) as row (
    review_id text, position bigint, log_id text, requested_at text,
    requested_by_sub text, requested_by_user_id text, reason text)`;

const RESOLVE_REVIEWS = `update review set resolved_at = done.resolved_at,
    amendment_id = done.amendment_id, effect = done.effect
  from json_to_recordset($1::json) as done (
    review_id text, resolved_at text, amendment_id text, effect text)
  where review.review_id = done.review_id`;

type Logged = { readonly position: bigint; readonly stream: string } & (
  ReflectiveLogEvent | QuarantineEvent
);

/** Collects the changes of one batch. */
class Changes {
  /** The new rows by log id; null removes a forged row, which no event made. */
  private readonly logs = new Map<string, object | null>();
  private readonly quarantines: object[] = [];
  private readonly reviews: object[] = [];
  private readonly resolved: object[] = [];

  add(event: Logged): void {
    switch (event.type) {
      case 'reflective_log_written':
      case 'log_healed':
        this.logs.set(event.data.log.log_id, rowOf(event.data, event.position));
        break;
      case 'log_quarantined':
        this.quarantine(event, event.data);
        break;
      case 'review_requested':
        this.reviews.push(reviewRow(event, event.data));
        break;
      case 'review_resolved':
        this.resolved.push({ ...event.data });
        break;
      case 'amendment_added':
      case 'feedback_added':
      case 'label_added':
      case 'tags_added':
      case 'pii_redacted':
        break;
    }
  }

  async write(tx: ProjectionTransaction): Promise<void> {
    if (this.logs.size > 0) {
      // Any row with one of these ids is replaced, because a forged row must not stop the projection.
      await tx.query(DELETE_LOGS, [[...this.logs.keys()]]);
      const rows = [...this.logs.values()].filter((row) => row !== null);
      await tx.query(INSERT_LOGS, [JSON.stringify(rows)]);
    }
    if (this.quarantines.length > 0)
      await tx.query(INSERT_QUARANTINES, [JSON.stringify(this.quarantines)]);
    if (this.reviews.length > 0) await tx.query(INSERT_REVIEWS, [JSON.stringify(this.reviews)]);
    if (this.resolved.length > 0) await tx.query(RESOLVE_REVIEWS, [JSON.stringify(this.resolved)]);
  }

  private quarantine(event: Logged, data: QuarantineData): void {
    const { quarantine_id, at, fault, log_id, reason, ...detail } = data;
    if (fault === 'forged' && log_id !== null) this.logs.set(log_id, null);
    this.quarantines.push({
      ...{ quarantine_id, at, fault, log_id, reason },
      position: event.position.toString(),
      detail: canonicalJson(detail),
    });
  }
}

type QuarantineData = Extract<Logged, { type: 'log_quarantined' }>['data'];
type ReviewData = Extract<ReflectiveLogEvent, { type: 'review_requested' }>['data'];

const reviewRow = ({ position, stream }: Logged, data: ReviewData): object => ({
  review_id: data.review_id,
  position: position.toString(),
  log_id: idOfReflectiveStream(stream),
  requested_at: data.created_at,
  requested_by_sub: data.author.sub,
  requested_by_user_id: data.author.user_id,
  reason: data.reason,
});

/** The signed logs as rows, the quarantine, and the requested reviews (SPEC §7). */
@Projector({
  name: 'reflective_logs',
  version: 1,
  tables: readTables(import.meta.url),
  categories: ['reflective', 'quarantine'],
})
export class ReflectiveLogsProjection implements EventProjector {
  async project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void> {
    const changes = new Changes();
    for (const event of events) changes.add(event as unknown as Logged);
    await changes.write(tx);
  }
}
