import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { seedOfJobStream } from '#domain/stream-names.js';
import {
  dueObligations,
  type Obligation,
  type ObligationKind,
  obligationKey,
} from '#projections/obligations/queries.js';
import { Postgres } from '#read-model/postgres.js';
import { RequestExecution } from '../action-requests/execute/request-execution.js';
import { RequestReport } from '../action-requests/execute/request-report.js';
import { ConsentedEpisodes } from '../jobs/consented-episodes.js';
import { JobClosing } from '../jobs/job-closing.js';
import { PromotionSteps } from '../memory-contract/promotion-steps.js';
import { ConsentedFacts } from '../privacy/consented-facts.js';
import { Erasure } from '../erasures/erasure.js';
import { QueryDriver } from '../queries/query-driver.js';
import { LeasedLoop } from '../platform/leased-loop.js';
import { SameLog } from '../platform/same-log.js';
import { LOGGER } from '../platform/tokens.js';

const LOOK_EVERY_MS = 500;
const AT_ONCE = 50;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

interface Pause {
  readonly until: number;
  readonly length: number;
}

/**
 * Finishes work across streams after the process that began it died (SPEC G3, J1, J7, M12). It reads the due
 * obligations from the read model and repeats their steps. Every step is idempotent, because its command id
 * is the id of the event that caused it. One instance at a time does the work, because two that take up the
 * same query would both call its language models.
 */
@Injectable()
export class ObligationWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: LeasedLoop;
  private readonly pauses = new Map<string, Pause>();
  private readonly steps: Readonly<Record<ObligationKind, (stream: string) => Promise<void>>>;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly postgres: Postgres,
    sameLog: SameLog,
    closing: JobClosing,
    execution: RequestExecution,
    report: RequestReport,
    promotions: PromotionSteps,
    queries: QueryDriver,
    erasure: Erasure,
    facts: ConsentedFacts,
    episodes: ConsentedEpisodes,
  ) {
    this.loop = new LeasedLoop(
      { postgres, name: 'obligations', sameLog, lookEveryMs: LOOK_EVERY_MS },
      (signal) => this.round(signal),
    );
    const close = async (stream: string) => {
      await closing.close(seedOfJobStream(stream), 'obligation');
    };
    this.steps = {
      settle_job: close,
      link_session: close,
      write_reflective_log: close,
      finish_query: (stream) => queries.takeUp(seedOfJobStream(stream)),
      execute_request: (stream) => execution.execute(stream),
      execute_erasure: async (stream) => {
        await erasure.execute(stream);
      },
      expire_request: (stream) => execution.expire(stream),
      report_request: (stream) => report.write(stream),
      finish_interaction: (promotionId) => promotions.resume(promotionId),
      delete_fact: (stream) => facts.deleteLate(stream),
      withhold_episode: (episodicId) => episodes.withholdLate(episodicId),
    };
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  private async round(signal: AbortSignal): Promise<number> {
    // If Postgres cannot be reached, the health check reports it, and the worker reads the list again
    // later.
    const due = await dueObligations(this.postgres, AT_ONCE, this.paused()).catch(() => []);
    for (const obligation of due) {
      if (signal.aborted) break;
      await this.meet(obligation);
    }
    return LOOK_EVERY_MS;
  }

  /** Returns the obligations to skip. Those that cannot be met now must not block the others. */
  private paused(): string[] {
    const now = Date.now();
    for (const [key, { until }] of this.pauses)
      if (until + MAX_PAUSE_MS < now) this.pauses.delete(key);
    return [...this.pauses].filter(([, { until }]) => until > now).map(([key]) => key);
  }

  private async meet(obligation: Obligation): Promise<void> {
    const { kind, stream } = obligation;
    const key = obligationKey(obligation);
    const pause = this.pauses.get(key);
    try {
      await this.steps[kind](stream);
      this.pauses.delete(key);
    } catch (cause) {
      const length = Math.min((pause?.length ?? FIRST_PAUSE_MS / 2) * 2, MAX_PAUSE_MS);
      this.pauses.set(key, { until: Date.now() + length, length });
      const error = cause instanceof Error ? cause.message : 'unknown';
      this.logger.warn(
        { kind, stream, error },
        'An obligation could not be met and will be tried again later.',
      );
    }
  }
}
