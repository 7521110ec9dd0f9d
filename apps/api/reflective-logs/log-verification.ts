import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Refusal } from '#domain/errors/refusal.js';
import type { LogWritten } from '#domain/reflective-log/events.js';
import { reflectiveLogDecider } from '#domain/reflective-log/reflective-log.decider.js';
import type { Keyring } from '#domain/reflective-log/signature.js';
import {
  idOfReflectiveStream,
  isReflectiveStream,
  reflectiveStream,
} from '#domain/stream-names.js';
import { eventOf } from '#domain/upcast.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import { BEFORE_FIRST, verifyLink } from '#event-store/codec.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { differingColumns, isSigned, rowOf } from '#projections/reflective-logs/log-row.js';
import type { LogRow } from '#projections/reflective-logs/tables.js';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import type { ReadModels } from '../platform/read-models.js';
import { EVENT_STORE, KEYRING, LOGGER, READ_MODELS } from '../platform/tokens.js';
import { type LogFinding, LogHealing } from './log-healing.js';

const PAGE = 1_000;

export interface VerificationReport {
  /** The number of logs that were compared with the event log. */
  readonly checked: number;
  readonly intact: number;
  readonly findings: readonly LogFinding[];
}

/** The last event that wrote a log's row, with its position. */
interface RowSource {
  readonly written: LogWritten;
  readonly position: bigint;
}

/** Returns the row that an event writes; undefined if it writes none. */
function sourceIn(event: LoggedEvent): RowSource | undefined {
  if (!isReflectiveStream(event.stream) || !WRITES_ROW.has(event.type)) return undefined;
  const { type, data, position } = eventOf(reflectiveLogDecider, event);
  return type === 'reflective_log_written' || type === 'log_healed'
    ? { written: data, position }
    : undefined;
}
const WRITES_ROW: ReadonlySet<string> = new Set(['reflective_log_written', 'log_healed']);

/**
 * Finds rows of ReflectiveLogs that differ from the event log or do not fit their signature, and
 * restores them (SPEC L5). A suspicious row is checked again after the read model has passed the row's
 * event, so a row that is merely late is not reported.
 */
@Injectable()
export class LogVerification implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private running: Promise<VerificationReport> | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(KEYRING) private readonly keyring: Keyring,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queries: ReflectiveLogQueries,
    private readonly healing: LogHealing,
  ) {}

  /**
   * Runs one verification at a time. A second caller gets the report of the current run. Fails as reads
   * do.
   */
  run(): Promise<VerificationReport> {
    this.running ??= this.verify().finally(() => (this.running = undefined));
    return this.running;
  }

  /** Stops the current run. A run changes nothing before it has read the whole event log. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async verify(): Promise<VerificationReport> {
    const known = new Set<string>();
    const suspects = new Set<string>();
    const end = await this.eventStore.lastPosition();
    for await (const events of wholeLog(this.eventStore, end, this.stopping.signal)) {
      const made = events.filter((event) => sourceIn(event) !== undefined);
      if (made.length === 0) continue;
      for (const id of await this.suspectsIn(made)) suspects.add(id);
      for (const { stream } of made) known.add(idOfReflectiveStream(stream));
    }
    for await (const id of this.rowIds()) if (!known.has(id)) suspects.add(id);
    const findings: LogFinding[] = [];
    for (const id of [...suspects].sort()) {
      const finding = await this.findingOf(id);
      if (finding === undefined) continue;
      findings.push(finding);
      this.logger.error(
        { type: 'reflective_log_finding', ...finding },
        'A ReflectiveLog differs from the event log.',
      );
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
    const source = sourceIn(event);
    if (row === undefined || source === undefined) return true;
    const { written, position } = source;
    return (
      differingColumns(row, rowOf(written, position)).length > 0 || !isSigned(row, this.keyring)
    );
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

  /**
   * Checks one log against its whole stream, and restores its row if possible. Returns undefined if the
   * row is right.
   */
  private async findingOf(log_id: string): Promise<LogFinding | undefined> {
    let source: RowSource | undefined;
    try {
      source = await this.sourceOfRow(log_id);
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.code !== 'INTEGRITY_FAILURE') throw cause;
      const reason = String(cause.facts['reason']);
      return { log_id, fault: 'broken', reason, quarantine_id: null, healed: false };
    }
    if (source !== undefined) await this.readModels.reach(source.position, ['reflective_logs']);
    const row = await this.queries.find(log_id);
    if (source === undefined) return row && this.healing.removeForged(row);
    const recorded = rowOf(source.written, source.position);
    if (row === undefined || differingColumns(row, recorded).length > 0)
      return this.healing.restore(recorded, row);
    if (isSigned(row, this.keyring)) return undefined;
    const reason = `key ${row.signature_key_id.slice(0, 64)} is not one of this service, or is another key`;
    return { log_id, fault: 'unverifiable', reason, quarantine_id: null, healed: false };
  }

  /** Reads the last event that wrote a log's row, and verifies the stream's hash chain. */
  private async sourceOfRow(log_id: string): Promise<RowSource | undefined> {
    let previous: { number: number; hash: string } = BEFORE_FIRST;
    let source: RowSource | undefined;
    for await (const event of readRecorded(this.eventStore, reflectiveStream(log_id))) {
      verifyLink(previous, event);
      previous = { number: event.number, hash: event.metadata.hash };
      source = sourceIn(event) ?? source;
    }
    return source;
  }
}

/** True if the first event of a stream does not fit its hash. */
function isBroken(event: LoggedEvent): boolean {
  if (event.number !== 0) return false;
  try {
    verifyLink(BEFORE_FIRST, event);
    return false;
  } catch {
    return true;
  }
}
