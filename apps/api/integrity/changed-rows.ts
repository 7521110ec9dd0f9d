import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import { clearText } from '#domain/privacy/clear-text.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { type ChangedRow, RowMacs } from '#read-model/row-macs.js';
import { LOGGER, PRIVACY_RULES } from '../platform/tokens.js';
import { Metrics } from '../platform/health/metrics.js';

const MAX_REMEMBERED_BYTES = 8 * 1024 * 1024;

/**
 * The rows and cache entries that this process found changed by another program. Each is logged once, and
 * counted at each read.
 */
@Injectable()
export class ChangedRows {
  private readonly rows = new LruMap<string, ChangedRow>({
    maxBytes: MAX_REMEMBERED_BYTES,
    bytesOf: jsonBytes,
  });

  constructor(
    macs: RowMacs,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(PRIVACY_RULES) private readonly rules: RuleSet,
  ) {
    macs.onChanged((row) => this.note(row));
  }

  get found(): number {
    return this.rows.size;
  }

  /** Returns the first rows that were found. */
  first(limit: number): readonly ChangedRow[] {
    return [...this.rows.keys()].slice(0, limit).map((id) => this.rows.peek(id)!);
  }

  private note({ table, stream, number }: ChangedRow): void {
    this.metrics.changedRows.inc({ table });
    // A forger may have written anything into the row's columns.
    const row = { table, stream: clearText(String(stream), this.rules), number: Number(number) };
    const id = JSON.stringify(row);
    if (this.rows.has(id)) return;
    this.rows.set(id, row);
    this.logger.error({ type: 'row_changed', ...row }, 'A row was changed outside the service.');
  }
}
