import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { rulesFor } from '#domain/replay/stream-rules.js';
import type { EventStore } from '#event-store/event-store.js';
import type { IntegrityFinding } from '#event-store/log-check.js';
import { verifyLog } from '#event-store/verify-log.js';
import { RowCheck } from '#projections/row-check.js';
import { Postgres } from '#read-model/postgres.js';
import type { ReadModels } from '../read-models.js';
import { EVENT_STORE, LOGGER, READ_MODELS } from '../tokens.js';
import { Metrics } from './metrics.js';

/** The maximum number of findings that a report lists. The report counts all of them. */
const LISTED = 1_000;

/** A verification of the event log: its progress, or its result. */
export interface IntegrityReport {
  readonly started_at: string;
  /** Null while the verification runs. */
  readonly finished_at: string | null;
  readonly events: number;
  readonly streams: number;
  /** True if the decisions are replayed as well. */
  readonly decisions: boolean;
  /** The number of streams whose decisions were replayed so far. */
  readonly decided: number;
  /** The number of all findings, of which `findings` lists the first 1,000. */
  readonly found: number;
  readonly findings: readonly IntegrityFinding[];
}

type Progress = { -readonly [Name in keyof IntegrityReport]: IntegrityReport[Name] } & {
  findings: IntegrityFinding[];
};

/** A verification that runs, and its result. */
export interface RunningVerification {
  readonly report: IntegrityReport;
  readonly finished: Promise<IntegrityReport>;
}

/** Verifies the event log and keeps the last report of this process (SPEC I6). */
@Injectable()
export class IntegrityVerification implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private current:
    { readonly report: Progress; readonly finished: Promise<IntegrityReport> } | undefined;
  private finished: IntegrityReport | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly postgres: Postgres,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** The last verification that finished; undefined before the first one. */
  get last(): IntegrityReport | undefined {
    return this.finished;
  }

  get running(): IntegrityReport | undefined {
    return this.current?.report;
  }

  /**
   * Runs one verification at a time. A second caller joins the current one, and can add the decisions to
   * it. The result fails as reads do.
   */
  start({ decisions }: { readonly decisions: boolean }): RunningVerification {
    const running = this.current ?? this.begin();
    running.report.decisions ||= decisions;
    return running;
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private begin() {
    const report: Progress = {
      started_at: new Date().toISOString(),
      finished_at: null,
      events: 0,
      streams: 0,
      decisions: false,
      decided: 0,
      found: 0,
      findings: [],
    };
    const finished = this.verify(report).finally(() => (this.current = undefined));
    // A caller may have left before the verification fails.
    finished.catch(() => undefined);
    this.current = { report, finished };
    return this.current;
  }

  private async verify(report: Progress): Promise<IntegrityReport> {
    const counts = new Map<string, number>();
    const { signal } = this.stopping;
    const onFinding = (finding: IntegrityFinding, table?: string): void => {
      report.found += 1;
      const { stream, problem } = finding;
      const place = `${rulesFor(stream)?.category ?? 'unknown'} ${problem}`;
      counts.set(place, (counts.get(place) ?? 0) + 1);
      if (report.findings.length >= LISTED) return;
      report.findings.push(finding);
      this.logger.error(
        { type: 'integrity_finding', ...finding, ...(table === undefined ? {} : { table }) },
        table === undefined
          ? 'An event of the log fails its check.'
          : 'The rows of a stream differ from the log.',
      );
    };
    const rows = new RowCheck({
      eventStore: this.eventStore,
      postgres: this.postgres,
      following: async () =>
        (await this.readModels.status())
          .filter(({ stopped, rebuilding }) => stopped === undefined && !rebuilding)
          .map(({ name }) => name),
      reach: (position, names) => this.readModels.reach(position, names),
      onFinding,
      signal,
    });
    const verified = await verifyLog(this.eventStore, {
      withDecisions: () => report.decisions,
      onEvents: (events) => (report.events += events),
      onDecided: (streams) => (report.decided += streams),
      onFinding,
      checkRows: (check) => rows.run(check),
      signal,
    });
    this.count(counts);
    this.finished = { ...report, ...verified, finished_at: new Date().toISOString() };
    return this.finished;
  }

  private count(counts: ReadonlyMap<string, number>): void {
    this.metrics.integrityFindings.reset();
    for (const [place, count] of counts) {
      const [category = '', problem = ''] = place.split(' ');
      this.metrics.integrityFindings.set({ category, problem }, count);
    }
  }
}
