import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CHECKPOINT_PROBLEMS, readCheckpoint } from '#checkpoints/checkpoint-file.js';
import { compareLog, type LogFinding } from '#checkpoints/compare-log.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { EventStore } from '#event-store/event-store.js';
import type { StreamHead } from '#event-store/log-check.js';
import { FileBytes } from '#files/file-bytes.js';
import { UnusableFile } from '#files/regular-file.js';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import { Postgres } from '#read-model/postgres.js';
import { type HeldRun, type SharedReports, SharedRun } from '../integrity/shared-run.js';
import { Shares } from '../platform/shares.js';
import { EVENT_STORE, LOGGER } from '../platform/tokens.js';
import type { ComparedCheckpointDto, LogComparisonDto } from './checkpoint-view.js';

/** The maximum number of findings that a report lists. The report counts all of them. */
const LISTED = 1_000;

/** The most streams of a file that a caller sends. The heads of so many take about 130 MB. */
const MAX_STREAMS = 500_000;

/**
 * The most files that callers send to this process at a time. Each sends one, so that a caller who sends slowly keeps
 * nobody else from a comparison.
 */
const ARRIVING = { ofSubject: 1, ofAll: 3 };

/** The longest time that a caller waits for the end of another comparison, in ms. */
const TURN_MS = 5_000;
const POLL_MS = 200;

type Progress = { -readonly [Name in keyof LogComparisonDto]: LogComparisonDto[Name] } & {
  findings: LogFinding[];
};

/** The file of a checkpoint that was made here, or one that a caller sends. */
export type ComparedFile = { readonly bytes: AsyncIterable<Buffer> } & (
  { readonly checkpoint_id: string } | { readonly checkpoint_id: null; readonly sub: string }
);

/** A comparison that runs, and its result. */
export interface RunningComparison {
  readonly report: LogComparisonDto;
  readonly finished: Promise<LogComparisonDto>;
}

interface Since {
  readonly checkpoint: ComparedCheckpointDto;
  readonly heads: readonly StreamHead[];
}

const BEFORE_READ: ComparedCheckpointDto = {
  ...{ checkpoint_id: null, created_at: new Date(0).toISOString(), position: '0' },
  ...{ streams: 0, key_id: '', is_of_this_service: false },
};

/** Compares the log with a checkpoint file, on one instance at a time, as `mace verify --log --since` does (SPEC I6). */
@Injectable()
export class LogComparison implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly shared: SharedRun<LogComparisonDto>;
  private readonly arriving = new Shares('comparisons with a file', ARRIVING);

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly signer: BundleSigner,
    postgres: Postgres,
  ) {
    this.shared = new SharedRun(postgres, 'log_comparison');
  }

  /** Returns the last comparison and the one that runs. Fails with `PostgresUnavailable`. */
  reports(): Promise<SharedReports<LogComparisonDto>> {
    return this.shared.read();
  }

  /**
   * Begins a comparison. @throws Refusal READ_UNAVAILABLE while another one runs, INVALID_INPUT for a file that is not a
   * checkpoint as it was signed, RATE_LIMITED while the caller sends another file
   */
  async start(file: ComparedFile): Promise<RunningComparison> {
    if (file.checkpoint_id !== null) return this.begin(() => this.read(file));
    const release = this.arriving.take(file.sub);
    try {
      // A file arrives as slowly as its sender likes, so it takes its turn once it is there.
      const since = await this.read(file);
      return await this.begin(() => Promise.resolve(since));
    } finally {
      release();
    }
  }

  private async begin(read: () => Promise<Since>): Promise<RunningComparison> {
    const report: Progress = {
      started_at: new Date().toISOString(),
      finished_at: null,
      checkpoint: BEFORE_READ,
      events: 0,
      found: 0,
      findings: [],
    };
    const held = await this.turn(report);
    if (held === undefined)
      throw new Refusal('READ_UNAVAILABLE', {
        reason: 'another comparison of the log runs',
      }).teaching({ instead: 'Wait until GET /v1/integrity/comparisons shows its result.' });
    const since = await read().catch(async (cause: unknown) => {
      await held.fail(this.stopping.signal);
      throw cause;
    });
    report.checkpoint = since.checkpoint;
    const finished = this.compareAndEnd(since.heads, report, held);
    // A caller may have left before it fails.
    finished.catch(() => undefined);
    return { report, finished };
  }

  /** Returns the run of a comparison; undefined if another one is not over soon. */
  private async turn(report: LogComparisonDto): Promise<HeldRun<LogComparisonDto> | undefined> {
    const until = Date.now() + TURN_MS;
    for (;;) {
      const held = await this.shared.begin(() => report, {});
      if (held !== undefined || Date.now() > until) return held;
      await delay(POLL_MS, undefined, { signal: this.stopping.signal });
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async read({ checkpoint_id, bytes }: ComparedFile): Promise<Since> {
    // A file of this service has the streams of its log, so only files from outside have a limit.
    const limit = checkpoint_id === null ? { maxStreams: MAX_STREAMS } : {};
    const file = new FileBytes('the file', bytes);
    const read = await readCheckpoint(file, limit).catch((cause: unknown) => {
      if (!(cause instanceof UnusableFile)) throw cause;
      throw new Refusal('INVALID_INPUT', { reason: cause.message });
    });
    if ('problem' in read)
      throw new Refusal('INVALID_INPUT', {
        reason: `the file cannot be compared: ${CHECKPOINT_PROBLEMS[read.problem]}`,
      });
    const { created_at, position, streams, key_id } = read.checkpoint;
    const own = (await this.signer.publicKeys()).map(({ kid }) => kid);
    const is_of_this_service = own.includes(key_id);
    return {
      checkpoint: { checkpoint_id, created_at, position, streams, key_id, is_of_this_service },
      heads: read.heads,
    };
  }

  private async compareAndEnd(
    heads: readonly StreamHead[],
    report: Progress,
    held: HeldRun<LogComparisonDto>,
  ): Promise<LogComparisonDto> {
    const { signal } = this.stopping;
    try {
      const { events } = await compareLog(this.eventStore, heads, {
        withDecisions: () => false,
        onEvents: (checked) => (report.events += checked),
        onFinding: (finding) => this.note(finding, report),
        signal,
      });
      const ended = { ...report, events, finished_at: new Date().toISOString() };
      await held.end(ended, { started_at: ended.started_at, found: ended.found });
      return ended;
    } catch (cause) {
      await held.fail(signal);
      throw cause;
    }
  }

  private note(finding: LogFinding, report: Progress): void {
    report.found += 1;
    if (report.findings.length >= LISTED) return;
    report.findings.push(finding);
    this.logger.error(
      { type: 'integrity_finding', ...finding },
      'The log differs from a checkpoint, or an event of it fails its check.',
    );
  }
}
