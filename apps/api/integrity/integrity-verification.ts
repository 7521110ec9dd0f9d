import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Refusal } from '#domain/errors/refusal.js';
import { rulesFor } from '#domain/replay/stream-rules.js';
import type { EventStore } from '#event-store/event-store.js';
import type { IntegrityFinding } from '#event-store/log-check.js';
import { verifyLog } from '#event-store/verify-log.js';
import { Postgres } from '#read-model/postgres.js';
import { EVENT_STORE, LOGGER } from '../platform/tokens.js';
import { type HeldRun, type SharedReports, SharedRun } from './shared-run.js';
import type { IntegrityReportDto, IntegrityRunDto, Maker } from './integrity-view.js';
import { Metrics } from '../platform/health/metrics.js';
import { withTimeout } from '../platform/health/with-timeout.js';

/** The maximum number of findings that a report lists. The report counts all of them. */
const LISTED = 1_000;

/** A verification of the event log: its progress, or its result. */
export type IntegrityReport = IntegrityReportDto;

type Progress = { -readonly [Name in keyof IntegrityReport]: IntegrityReport[Name] } & {
  findings: IntegrityFinding[];
};

const figuresOf = ({ findings: _, ...figures }: IntegrityReport): IntegrityRunDto => figures;

/** A verification that runs, and its result. */
export interface RunningVerification {
  readonly report: IntegrityReport;
  readonly finished: Promise<IntegrityReport>;
}

/** The run of this process, whose report changes while it runs. */
interface OwnRun extends RunningVerification {
  readonly report: Progress;
}

/** A report, with the counts of all its findings by category and problem. */
interface CountedReport {
  readonly report: IntegrityReport;
  readonly counts: Readonly<Record<string, number>>;
}

const POLL_MS = 500;
const SCHEDULE: Maker = { made_by: 'system', means: 'schedule' };

interface Asked {
  readonly decisions: boolean;
  readonly maker: Maker;
}

/** Verifies the event log on one instance at a time, and shares the reports with all of them (SPEC I6). */
@Injectable()
export class IntegrityVerification implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly shared: SharedRun<CountedReport>;
  private current: OwnRun | undefined;
  /** The last report that this process has seen. */
  private seen: CountedReport | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    postgres: Postgres,
  ) {
    this.shared = new SharedRun(postgres, 'event_log');
  }

  /** Returns the last report and the progress of the current run. Fails with `PostgresUnavailable`. */
  async reports(): Promise<SharedReports<IntegrityReport>> {
    const { last, running } = await this.shared.read();
    this.seen = last ?? this.seen;
    return { last: this.seen?.report, running: this.current?.report ?? running?.report };
  }

  /** Returns the figures of past runs, the newest first. Fails with `PostgresUnavailable`. */
  past(): Promise<IntegrityRunDto[]> {
    return this.shared.past<IntegrityRunDto>();
  }

  /** Returns the last report, or the last one that this process has seen if Postgres does not answer soon. */
  async last(): Promise<IntegrityReport | undefined> {
    await withTimeout(this.reports()).catch(() => undefined);
    return this.seen?.report;
  }

  /** Updates the metric of the findings. */
  async observe(): Promise<void> {
    await this.last();
    this.metrics.integrityFindings.reset();
    for (const [place, count] of Object.entries(this.seen?.counts ?? {})) {
      const [category = '', problem = ''] = place.split(' ');
      this.metrics.integrityFindings.set({ category, problem }, count);
    }
  }

  /**
   * Starts a verification. If an instance runs one already, the caller joins it, and can add the decisions to
   * it. The result fails as reads do.
   */
  async start(asked: Asked): Promise<RunningVerification> {
    const begun = this.current ?? (await this.begin(asked)) ?? this.current;
    if (begun === undefined) return this.join(asked);
    if (asked.decisions) begun.report.decisions = true;
    return begun;
  }

  /** Starts a verification if no instance has run one for `dueAfterMs`. Returns undefined otherwise. */
  async startIfDue(dueAfterMs: number): Promise<RunningVerification | undefined> {
    return this.current === undefined
      ? this.begin({ decisions: false, maker: SCHEDULE }, dueAfterMs)
      : undefined;
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async begin(
    { decisions, maker }: Asked,
    dueAfterMs?: number,
  ): Promise<OwnRun | undefined> {
    const report: Progress = {
      started_at: new Date().toISOString(),
      ...maker,
      finished_at: null,
      events: 0,
      streams: 0,
      decisions,
      decided: 0,
      found: 0,
      findings: [],
    };
    const shown = (): CountedReport => ({ report, counts: {} });
    const asked = { decisions, ...(dueAfterMs === undefined ? {} : { dueAfterMs }) };
    const held = await this.shared.begin(shown, asked, () => (report.decisions = true));
    if (held === undefined) return undefined;
    const finished = this.verifyAndPublish(report, held).finally(() => (this.current = undefined));
    // A caller may have left before the verification fails.
    finished.catch(() => undefined);
    this.current = { report, finished };
    return this.current;
  }

  /** Follows the verification that another instance runs. */
  private async join(asked: Asked): Promise<RunningVerification> {
    const { decisions } = asked;
    if (decisions) await this.shared.askForDecisions();
    const { running } = await this.reports();
    if (running === undefined) return this.start(asked);
    const finished = this.resultOf(running.started_at).then(async (report) =>
      // The other instance had passed the decisions before it was asked for them.
      decisions && !report.decisions ? (await this.start(asked)).finished : report,
    );
    finished.catch(() => undefined);
    return { report: running, finished };
  }

  private async resultOf(startedAt: string): Promise<IntegrityReport> {
    for (;;) {
      const { last, running } = await this.reports();
      if (last?.started_at === startedAt) return last;
      if (running?.started_at !== startedAt)
        throw new Refusal('READ_UNAVAILABLE', {
          reason: 'the instance that verified the log has not finished',
        });
      await delay(POLL_MS, undefined, { signal: this.stopping.signal });
    }
  }

  private async verifyAndPublish(
    report: Progress,
    held: HeldRun<CountedReport>,
  ): Promise<IntegrityReport> {
    try {
      const verified = await this.verify(report);
      this.seen = verified;
      await held.end(verified, figuresOf(verified.report));
      return verified.report;
    } catch (cause) {
      await held.fail(this.stopping.signal);
      throw cause;
    }
  }

  private async verify(report: Progress): Promise<CountedReport> {
    const counts: Record<string, number> = {};
    const { signal } = this.stopping;
    const onFinding = (finding: IntegrityFinding): void => {
      report.found += 1;
      const { stream, problem } = finding;
      const place = `${rulesFor(stream)?.category ?? 'unknown'} ${problem}`;
      counts[place] = (counts[place] ?? 0) + 1;
      if (report.findings.length >= LISTED) return;
      report.findings.push(finding);
      this.logger.error(
        { type: 'integrity_finding', ...finding },
        'An event of the log fails its check.',
      );
    };
    const verified = await verifyLog(this.eventStore, {
      withDecisions: () => report.decisions,
      onEvents: (events) => (report.events += events),
      onDecided: (streams) => (report.decided += streams),
      onFinding,
      signal,
    });
    return { report: { ...report, ...verified, finished_at: new Date().toISOString() }, counts };
  }
}
