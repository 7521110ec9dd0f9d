import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setImmediate as afterThisTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { checkpointLines } from '#checkpoints/checkpoint-file.js';
import { makeCheckpoint, type MadeCheckpoint } from '#checkpoints/make-checkpoint.js';
import { fileNameOf } from '#checkpoints/place.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { CheckpointMade } from '#domain/log-checkpoint/events.js';
import { placesOf } from '#domain/log-checkpoint/log-checkpoint.decider.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { idOfCheckpointStream } from '#domain/stream-names.js';
import type { EventStore } from '#event-store/event-store.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { Postgres } from '#read-model/postgres.js';
import { type HeldRun, SharedRun } from '../integrity/shared-run.js';
import { Metrics } from '../platform/health/metrics.js';
import type { CheckpointStore } from '../platform/stores.js';
import { CHECKPOINT_STORE, CONFIG, EVENT_STORE, LOGGER } from '../platform/tokens.js';
import { CheckpointPlaces } from './checkpoint-places.js';
import type { CheckpointRunDto } from './checkpoint-view.js';

type Progress = { -readonly [Name in keyof CheckpointRunDto]: CheckpointRunDto[Name] };

/** A checkpoint that was made, and the position of the last event about it. */
export interface FinishedMaking {
  readonly report: CheckpointRunDto;
  readonly position: bigint | undefined;
}

/** A checkpoint that is made; on another instance, only its progress is known. */
export interface RunningMaking {
  readonly report: CheckpointRunDto;
  readonly finished: Promise<FinishedMaking> | undefined;
}

/** The number of lines of a file after which other work in this process gets its turn. */
const LINES_PER_TURN = 200;

/** Returns what a making that ended says, from its event, so that a retry says the same. */
export const reportOf = (made: CheckpointMade): CheckpointRunDto => ({
  checkpoint_id: made.checkpoint_id,
  started_at: made.created_at,
  finished_at: made.made_at,
  events: made.events,
  found: made.found,
  sha256: made.sha256,
});

/** Makes checkpoints of the log on one instance at a time, and records them (SPEC I6). */
@Injectable()
export class CheckpointMaking implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly shared: SharedRun<CheckpointRunDto>;
  private current: RunningMaking | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(CHECKPOINT_STORE) private readonly store: CheckpointStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly places: CheckpointPlaces,
    private readonly metrics: Metrics,
    postgres: Postgres,
  ) {
    this.shared = new SharedRun(postgres, 'log_checkpoint');
  }

  /** Returns the progress of the checkpoint that an instance makes now. Fails with `PostgresUnavailable`. */
  async running(): Promise<CheckpointRunDto | undefined> {
    return this.current?.report ?? (await this.shared.read()).running;
  }

  /** Makes a checkpoint with a stream of its own. If an instance makes one already, the caller joins it. */
  async start(stream: string, identity: CommandIdentity): Promise<RunningMaking> {
    const begun = this.current ?? (await this.begin(stream, identity)) ?? this.current;
    if (begun !== undefined) return begun;
    const { running } = await this.shared.read();
    if (running !== undefined) return { report: running, finished: undefined };
    throw new Refusal('READ_UNAVAILABLE', {
      reason: 'another instance has just made a checkpoint',
    });
  }

  /** Makes one if no instance has made one for `dueAfterMs`; undefined otherwise. */
  async startIfDue(
    stream: string,
    identity: CommandIdentity,
    dueAfterMs: number,
  ): Promise<RunningMaking | undefined> {
    return this.current === undefined ? this.begin(stream, identity, dueAfterMs) : undefined;
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async begin(
    stream: string,
    identity: CommandIdentity,
    dueAfterMs?: number,
  ): Promise<RunningMaking | undefined> {
    const report: Progress = {
      checkpoint_id: idOfCheckpointStream(stream),
      started_at: new Date().toISOString(),
      finished_at: null,
      events: 0,
      found: 0,
      sha256: null,
    };
    const due = dueAfterMs === undefined ? {} : { dueAfterMs };
    const held = await this.shared.begin(() => report, due);
    if (held === undefined) return undefined;
    const finished = this.makeAndEnd(stream, identity, report, held).finally(
      () => (this.current = undefined),
    );
    // A caller may have left before it fails.
    finished.catch((cause: unknown) => {
      if (this.stopping.signal.aborted) return;
      const error = cause instanceof Error ? cause.message : 'unknown';
      this.metrics.checkpointFailures.inc({ result: 'not_made' });
      this.logger.error({ type: 'checkpoint_not_made', error }, 'A checkpoint was not made.');
    });
    this.current = { report, finished };
    return this.current;
  }

  private async makeAndEnd(
    stream: string,
    identity: CommandIdentity,
    report: Progress,
    held: HeldRun<CheckpointRunDto>,
  ): Promise<FinishedMaking> {
    try {
      const made = await this.make(report);
      const { position } = await this.store.execute(stream, [{ type: 'make', ...made }], identity);
      const ended = reportOf(made);
      const by = { actor: identity.actor, trace_id: identity.trace_id };
      // The checkpoint is made whatever becomes of its file; a place that was not asked is asked later.
      const kept = await this.places
        .keepAll({ ...made, places: placesOf(made) }, by)
        .catch(() => undefined);
      await held.end(ended);
      return { report: ended, position: kept ?? position };
    } catch (cause) {
      await held.fail(this.stopping.signal);
      throw cause;
    }
  }

  private async make(report: Progress): Promise<CheckpointMade> {
    const made = await makeCheckpoint(this.eventStore, this.config.bundleKey, {
      onEvents: (events) => (report.events += events),
      onFinding: (finding) => {
        report.found += 1;
        this.logger.error(
          { type: 'integrity_finding', ...finding },
          'An event of the log fails its check.',
        );
      },
      signal: this.stopping.signal,
    });
    if (made === undefined) throw new Error('the log is empty');
    const { created_at, position, events, streams, key_id } = made.checkpoint;
    const { checkpoint_id, found } = report;
    const written = await this.write(fileNameOf({ checkpoint_id, created_at }), made);
    const made_at = new Date().toISOString();
    const places = this.places.names;
    const about = { checkpoint_id, created_at, made_at, position, events, streams, found, key_id };
    return { ...about, ...written, places };
  }

  /** Writes the file to this instance's own folder. */
  private async write(name: string, { checkpoint, heads }: MadeCheckpoint) {
    const hash = createHash('sha256');
    let bytes = 0;
    async function* chunks(): AsyncGenerator<string> {
      let text = '';
      let lines = 0;
      for (const line of checkpointLines(checkpoint, heads)) {
        text += `${line}\n`;
        lines += 1;
        if (lines % LINES_PER_TURN > 0) continue;
        yield text;
        text = '';
        await afterThisTurn();
      }
      yield text;
    }
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const text of chunks()) {
        const chunk = Buffer.from(text, 'utf8');
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    }
    const { own } = this.places;
    const draft = await own.draft(counted());
    const sha256 = hash.digest('hex');
    await own.name(draft, { name, sha256 });
    return { sha256, bytes };
  }
}
