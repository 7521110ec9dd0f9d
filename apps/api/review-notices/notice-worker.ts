import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import type { ActionRequested } from '#domain/action-request/events.js';
import { requestStream } from '#domain/stream-names.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import type { ReviewWebhook, ServiceConfig } from '#platform/config/service-config.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { Postgres } from '#read-model/postgres.js';
import { Metrics } from '../platform/health/metrics.js';
import { LeasedLoop } from '../platform/leased-loop.js';
import { SameLog } from '../platform/same-log.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE, CONFIG, LOGGER } from '../platform/tokens.js';
import { type DueNotice, type NoticeKind, NoticeTable } from './notice-table.js';
import { type Notice, postNotice } from './review-webhook.js';

const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 10;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5 * 60_000;

/**
 * Posts a notice of each request that waits for the council to the review webhook: when it is made, and again
 * when half of its time is over (SPEC G9). One instance at a time does it. A notice is sent until the receiver has
 * acknowledged it, so a receiver may get one twice.
 */
@Injectable()
export class NoticeWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: LeasedLoop;
  private readonly webhook: ReviewWebhook | undefined;

  constructor(
    @Inject(CONFIG) config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly queries: ActionRequestQueries,
    private readonly metrics: Metrics,
    sameLog: SameLog,
    private readonly table: NoticeTable,
    postgres: Postgres,
  ) {
    this.webhook = config.reviewWebhook;
    this.loop = new LeasedLoop(
      { postgres, name: 'review_notices', sameLog, lookEveryMs: LOOK_EVERY_MS },
      (signal) => this.round(signal),
    );
  }

  onApplicationBootstrap(): void {
    if (this.webhook !== undefined) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  private async round(signal: AbortSignal): Promise<number> {
    const { webhook } = this;
    if (webhook === undefined) return LOOK_EVERY_MS;
    try {
      const due = await this.table.due(AT_ONCE);
      const outcomes = await Promise.allSettled(
        due.map((notice) => this.deliver(webhook, notice, signal)),
      );
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    } catch (cause) {
      // If Postgres cannot be reached, the health check reports it.
      if (!(cause instanceof PostgresUnavailable))
        this.logger.error({ type: 'review_notices_failed', error: (cause as Error).name });
    }
    return LOOK_EVERY_MS;
  }

  private async deliver(
    webhook: ReviewWebhook,
    due: DueNotice,
    signal: AbortSignal,
  ): Promise<void> {
    const { request_id, notice, attempts } = due;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** attempts, MAX_PAUSE_MS);
    const { request, status } = (await this.requests.load(requestStream(request_id))).state;
    // The row is older than the log.
    if (request === null || status !== 'pending') return this.table.postpone(due, pauseMs);
    const content = await this.noticeOf(request, notice);
    if (content === undefined) return this.table.postpone(due, pauseMs);
    try {
      await postNotice(webhook, content, signal);
      this.metrics.reviewNotices.inc({ notice, outcome: 'delivered' });
    } catch (cause) {
      // The next start sends what the end of this process has cut off.
      if (signal.aborted) return;
      this.metrics.reviewNotices.inc({ notice, outcome: 'failed' });
      const error = cause instanceof Error ? cause.message : 'unknown';
      this.logger.warn(
        { type: 'review_notice_failed', request_id, notice, attempts: attempts + 1, error },
        'A notice of a waiting request was not delivered and will be sent again later.',
      );
      return this.table.postpone(due, pauseMs);
    }
    await this.table.delivered(due);
  }

  /** Returns the notice of a waiting request; undefined if the read models do not show it so any more. */
  private async noticeOf(
    { request_id: id, kind, expires_at: deadline }: ActionRequested,
    notice: NoticeKind,
  ): Promise<Notice | undefined> {
    const risk = await this.queries.riskOf(id);
    return risk === null ? undefined : { id, notice, kind, risk: risk.level, deadline };
  }
}
