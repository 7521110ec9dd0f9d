import { Injectable } from '@nestjs/common';
import { ERROR_TABLE, type ErrorCode, type Severity } from '#domain/errors/error-table.js';
import { Metrics } from '../health/metrics.js';

/** So many failed writes of facts, with nothing written between them, are no accident any more. */
const PERSISTENT = 3;

/** Tells an accident from a log that cannot be written: SEM_WRITE_FAIL is critical when it persists (SPEC §10). */
@Injectable()
export class WriteHealth {
  private failuresInARow = 0;

  constructor(private readonly metrics: Metrics) {}

  /** Something was written. */
  landed(): void {
    if (this.failuresInARow === 0) return;
    this.failuresInARow = 0;
    this.metrics.semWriteFailuresInARow.set(0);
  }

  /** How severe this failure is, in view of those before it. */
  severityOf(code: ErrorCode): Severity {
    const { severity } = ERROR_TABLE[code];
    if (code !== 'SEM_WRITE_FAIL') return severity;
    this.failuresInARow += 1;
    this.metrics.semWriteFailuresInARow.set(this.failuresInARow);
    return this.failuresInARow >= PERSISTENT ? 'critical' : severity;
  }
}
