import { Inject, Injectable } from '@nestjs/common';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import { seededUuid } from '#domain/determinism/ids.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { Keyring } from '#domain/reflective-log/signature.js';
import { reflectiveStream } from '#domain/stream-names.js';
import { differingColumns, isSigned } from '#projections/reflective-logs/log-row.js';
import type { LogRow } from '#projections/reflective-logs/tables.js';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { Metrics } from '../platform/health/metrics.js';
import type { KeyedHash } from '../platform/http/identity.js';
import type { ReadModels } from '../platform/read-models.js';
import type { ReflectiveLogStore } from '../platform/stores.js';
import { KEYED_HASH, KEYRING, READ_MODELS, REFLECTIVE_LOG_STORE } from '../platform/tokens.js';
import { Quarantine } from './quarantine.js';
import type { RowFault } from '#domain/reflective-log/events.js';

/**
 * The fault of a row. `tampered`: it differs from the event log; `missing`: it does not exist;
 * `forged`: no event made it. These three are quarantined and restored. `unverifiable`: this service
 * does not have the signing key. `broken`: the event itself does not fit its hash chain.
 */
export type LogFault = RowFault | 'forged' | 'unverifiable' | 'broken';

export interface LogFinding {
  readonly log_id: string;
  readonly fault: LogFault;
  readonly reason: string;
  readonly quarantine_id: string | null;
  /** True if the row was restored from the event log. */
  readonly healed: boolean;
}

/** The maximum bytes of a column that is recorded. A larger column is replaced by its hash and size. */
const COLUMN_BYTES = 64 * 1024;

/**
 * Quarantines a row that differs from the event log, and restores it. The service itself cannot change
 * rows, so it appends an event, from which the projection writes the row (SPEC L5).
 */
@Injectable()
export class LogHealing {
  constructor(
    @Inject(REFLECTIVE_LOG_STORE) private readonly logs: ReflectiveLogStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(KEYRING) private readonly keyring: Keyring,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly queries: ReflectiveLogQueries,
    private readonly quarantine: Quarantine,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Records both versions in the log's own stream. The projection then restores the changed or missing
   * row from that stream.
   */
  async restore(recorded: LogRow, row: LogRow | undefined): Promise<LogFinding> {
    const { log_id } = recorded;
    const fault = row === undefined ? 'missing' : 'tampered';
    const columns = row === undefined ? [] : differingColumns(row, recorded);
    const reason = row === undefined ? 'the row is gone' : `${columns.join(', ')} differ`;
    // The id depends only on the content, so several instances that find the same row quarantine it
    // once.
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
          signature_valid: row !== undefined && isSigned(row, this.keyring),
          found: row === undefined ? {} : await this.shown(row, columns),
          recorded: row === undefined ? {} : await this.shown(recorded, columns),
          at: new Date().toISOString(),
        },
      ],
      this.identityOf(quarantine_id, log_id, fault),
    );
    if (!repeated) this.metrics.logsQuarantined.inc({ fault });
    await this.readModels.reach(position, ['reflective_logs']);
    const now = await this.queries.find(log_id);
    const healed = now?.signature === recorded.signature && isSigned(now, this.keyring);
    return { log_id, fault, reason, quarantine_id, healed };
  }

  /**
   * Records, in a quarantine stream, a row that no event wrote, and removes the row from the read model.
   */
  async removeForged(row: LogRow): Promise<LogFinding> {
    const { log_id } = row;
    const fault = 'forged';
    const reason = 'no event made this row';
    const content = this.keyedHash(row);
    // A row that comes back needs another event, which removes it again.
    for (let times = 0; ; times += 1) {
      const quarantine_id = seededUuid([
        log_id,
        'forged',
        content,
        ...(times === 0 ? [] : [times]),
      ]);
      const at = new Date().toISOString();
      const { position, repeated } = await this.quarantine.put(
        { fault, log_id, reason, content: { ...row }, submitted_by: null, at },
        this.identityOf(quarantine_id, log_id, fault),
      );
      await this.readModels.reach(position, ['reflective_logs']);
      const healed = (await this.queries.find(log_id)) === undefined;
      if (healed || !repeated) return { log_id, fault, reason, quarantine_id, healed };
    }
  }

  private identityOf(command_id: string, log_id: string, fault: LogFault): CommandIdentity {
    return {
      command_id,
      body_hash: this.keyedHash([log_id, fault]),
      actor: 'system',
      trace_id: 'verification',
    };
  }

  /**
   * Passes some columns of a row through the privacy gate. A column that cannot be scanned is replaced
   * by its hash and size.
   */
  private async shown(row: LogRow, columns: readonly (keyof LogRow)[]): Promise<JsonObject> {
    const shown: [string, Json][] = [];
    for (const name of columns) {
      const value = row[name];
      const clean = await this.quarantine.redacted(value);
      const isShown = clean !== undefined && canonicalSize(clean) <= COLUMN_BYTES;
      const summary = { hash: this.keyedHash(value), bytes: canonicalSize(value) };
      shown.push([name, isShown ? clean : summary]);
    }
    return Object.fromEntries(shown);
  }
}
