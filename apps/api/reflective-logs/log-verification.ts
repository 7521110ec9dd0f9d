import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import { seededUuid } from '#domain/determinism/ids.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JsonObject } from '#domain/json.js';
import type { LogWritten, ReflectiveLogEvent, RowFault } from '#domain/reflective-log/events.js';
import { isSignedBy, type Keyring } from '#domain/reflective-log/signature.js';
import {
  idOfReflectiveStream,
  isReflectiveStream,
  reflectiveStream,
} from '#domain/reflective-log/state.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import { BEFORE_FIRST, verifyLink } from '#event-store/codec.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import {
  differingColumns,
  fieldsOf,
  type LogRow,
  rowOf,
  signatureOf,
} from '#projections/reflective-logs/log-row.js';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { Metrics } from '../platform/health/metrics.js';
import type { KeyedHash } from '../platform/http/identity.decorator.js';
import type { ReadModels } from '../platform/read-models.js';
import type { ReflectiveLogStore } from '../platform/stores.js';
import {
  EVENT_STORE,
  KEYED_HASH,
  KEYRING,
  LOGGER,
  READ_MODELS,
  REFLECTIVE_LOG_STORE,
} from '../platform/tokens.js';
import { Quarantine } from './quarantine.js';

const PAGE = 1_000;
/** A larger column is told by its hash and size. */
const COLUMN_BYTES = 64 * 1024;

/**
 * `tampered`, `missing`: the row is not, or no more, what the log says; `forged`: no event made it. All three
 * are quarantined and put right. `unverifiable`: signed with a key that this service does not have.
 * `broken`: the event itself fails its chain.
 */
export type LogFault = RowFault | 'forged' | 'unverifiable' | 'broken';

export interface LogFinding {
  readonly log_id: string;
  readonly fault: LogFault;
  readonly reason: string;
  readonly quarantine_id: string | null;
  /** The row is again what the log says. */
  readonly healed: boolean;
}

export interface VerificationReport {
  /** Logs in the event log that were checked. */
  readonly checked: number;
  readonly intact: number;
  readonly findings: readonly LogFinding[];
}

/** The last event that made the row of a log, and where it stands. */
interface RowSource {
  readonly written: LogWritten;
  readonly position: bigint;
}

const makesRow = ({ stream, type }: LoggedEvent): boolean =>
  isReflectiveStream(stream) && (type === 'reflective_log_written' || type === 'log_healed');

/**
 * Checks every row of the signed logs against its signature and against the log (SPEC L5). What looks wrong
 * is looked at again by itself, once the read model has passed it, so that what is merely late is no finding.
 */
@Injectable()
export class LogVerification implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private running: Promise<VerificationReport> | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(REFLECTIVE_LOG_STORE) private readonly logs: ReflectiveLogStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(KEYRING) private readonly keyring: Keyring,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queries: ReflectiveLogQueries,
    private readonly quarantine: Quarantine,
    private readonly metrics: Metrics,
  ) {}

  /** One run at a time: who asks meanwhile gets the same report. Fails as reads do. */
  run(): Promise<VerificationReport> {
    this.running ??= this.verify().finally(() => (this.running = undefined));
    return this.running;
  }

  /** A run that is under way when the service stops is given up: it changes nothing until it has looked. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async verify(): Promise<VerificationReport> {
    const known = new Set<string>();
    const suspects = new Set<string>();
    const end = await this.eventStore.lastPosition();
    for await (const events of wholeLog(this.eventStore, end, this.stopping.signal)) {
      const made = events.filter(makesRow);
      if (made.length === 0) continue;
      for (const id of await this.suspectsIn(made)) suspects.add(id);
      for (const { stream } of made) known.add(idOfReflectiveStream(stream));
    }
    for await (const id of this.rowIds()) if (!known.has(id)) suspects.add(id);
    const findings: LogFinding[] = [];
    for (const id of [...suspects].sort()) {
      const finding = await this.lookAt(id);
      if (finding !== undefined) findings.push(this.told(finding));
    }
    const faulty = findings.filter(({ fault }) => fault !== 'forged').length;
    return { checked: known.size, intact: known.size - faulty, findings };
  }

  private async suspectsIn(events: readonly LoggedEvent[]): Promise<string[]> {
    const rows = await this.queries.byIds(events.map(({ stream }) => idOfReflectiveStream(stream)));
    const byId = new Map(rows.map((row) => [row.log_id, row]));
    return events
      .filter(
        (event) =>
          isBroken(event) || this.isSuspect(byId.get(idOfReflectiveStream(event.stream)), event),
      )
      .map(({ stream }) => idOfReflectiveStream(stream));
  }

  private isSuspect(row: LogRow | undefined, event: LoggedEvent): boolean {
    if (row === undefined) return true;
    const { data, position } = sourceOf(event);
    return differingColumns(row, rowOf(data, position)).length > 0 || !this.isSigned(row);
  }

  private isSigned(row: LogRow): boolean {
    return isSignedBy(fieldsOf(row), signatureOf(row), this.keyring);
  }

  private async *rowIds(): AsyncGenerator<string> {
    for (let after = ''; ;) {
      const ids = await this.queries.idsAfter(after, PAGE);
      yield* ids;
      const last = ids.at(-1);
      if (last === undefined || ids.length < PAGE) return;
      after = last;
    }
  }

  /** The verdict on one log by its whole stream; undefined where nothing is wrong after all. */
  private async lookAt(log_id: string): Promise<LogFinding | undefined> {
    let source: RowSource | undefined;
    try {
      source = await this.sourceOfRow(log_id);
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.code !== 'INTEGRITY_FAILURE') throw cause;
      const reason = String(cause.facts['reason']);
      return { log_id, fault: 'broken', reason, quarantine_id: null, healed: false };
    }
    if (source === undefined) return this.lookAtForged(log_id);
    await this.readModels.reach(source.position, ['reflective_logs']);
    const row = await this.queries.get(log_id);
    const recorded = rowOf(source.written, source.position);
    const columns = row === undefined ? [] : differingColumns(row, recorded);
    if (row === undefined || columns.length > 0) return this.heal(row, recorded, columns);
    if (this.isSigned(row)) return undefined;
    const reason = `key ${row.signature_key_id.slice(0, 64)} is not one of this service, or is another key`;
    return { log_id, fault: 'unverifiable', reason, quarantine_id: null, healed: false };
  }

  /** Verifies the stream's chain on the way. */
  private async sourceOfRow(log_id: string): Promise<RowSource | undefined> {
    let previous: { number: number; hash: string } = BEFORE_FIRST;
    let source: RowSource | undefined;
    for await (const event of readRecorded(this.eventStore, reflectiveStream(log_id))) {
      verifyLink(previous, event);
      previous = { number: event.number, hash: event.metadata.hash };
      if (!makesRow(event)) continue;
      const { data, position } = sourceOf(event);
      source = { written: data, position };
    }
    return source;
  }

  /** Both versions go into the log's own stream, and the row is written anew from it (SPEC L5). */
  private async heal(
    row: LogRow | undefined,
    recorded: LogRow,
    columns: readonly (keyof LogRow)[],
  ): Promise<LogFinding> {
    const { log_id } = recorded;
    const fault = row === undefined ? 'missing' : 'tampered';
    const reason = row === undefined ? 'the row is gone' : `${columns.join(', ')} differ`;
    // The same row found twice, by whichever instance, is quarantined once.
    const quarantine_id = seededUuid([log_id, recorded.position, this.keyedHash(row ?? null)]);
    const { repeated, position } = await this.logs.execute(
      reflectiveStream(log_id),
      [
        {
          type: 'quarantine',
          quarantine_id,
          log_id,
          fault,
          reason,
          signature_valid: row !== undefined && this.isSigned(row),
          found: row === undefined ? {} : this.shown(row, columns),
          recorded: row === undefined ? {} : this.shown(recorded, columns),
          at: new Date().toISOString(),
        },
      ],
      {
        command_id: quarantine_id,
        body_hash: this.keyedHash([log_id, fault]),
        actor: 'system',
        trace_id: 'verification',
      },
    );
    if (!repeated) this.metrics.logsQuarantined.inc({ fault });
    await this.readModels.reach(position, ['reflective_logs']);
    const now = await this.queries.get(log_id);
    const healed = now !== undefined && signatureOf(now).value === recorded.signature;
    return { log_id, fault, reason, quarantine_id, healed: healed && this.isSigned(now) };
  }

  private async lookAtForged(log_id: string): Promise<LogFinding | undefined> {
    const row = await this.queries.get(log_id);
    if (row === undefined) return undefined;
    const reason = 'no event made this row';
    const command_id = seededUuid([log_id, 'forged', this.keyedHash(row)]);
    const suspect = { fault: 'forged', log_id, reason, content: { ...row } } as const;
    const position = await this.quarantine.put(
      { ...suspect, submitted_by: null },
      {
        command_id,
        body_hash: this.keyedHash([log_id, 'forged']),
        actor: 'system',
        trace_id: 'verification',
      },
    );
    await this.readModels.reach(position, ['reflective_logs']);
    const healed = (await this.queries.get(log_id)) === undefined;
    return { log_id, fault: 'forged', reason, quarantine_id: command_id, healed };
  }

  /** Some columns of a row, past the privacy gate; what cannot pass is told by its hash and size. */
  private shown(row: LogRow, columns: readonly (keyof LogRow)[]): JsonObject {
    const told = columns.map((name) => {
      const value = row[name];
      const clean = this.quarantine.redacted(value);
      if (clean !== undefined && canonicalSize(clean) <= COLUMN_BYTES) return [name, clean];
      return [name, { hash: this.keyedHash(value), bytes: canonicalSize(value) }];
    });
    return Object.fromEntries(told) as JsonObject;
  }

  private told(finding: LogFinding): LogFinding {
    this.logger.error(
      { type: 'reflective_log_finding', ...finding },
      'A ReflectiveLog is not what it was.',
    );
    return finding;
  }
}

const sourceOf = (event: LoggedEvent) =>
  event as unknown as Extract<
    ReflectiveLogEvent,
    { type: 'reflective_log_written' | 'log_healed' }
  > & { readonly position: bigint };

/** Whether a stream's first event, by itself, fails its chain. */
function isBroken(event: LoggedEvent): boolean {
  if (event.number !== 0) return false;
  try {
    verifyLink(BEFORE_FIRST, event);
    return false;
  } catch {
    return true;
  }
}
