import { Injectable } from '@nestjs/common';
import { ERROR_TABLE, type ErrorCode, type Severity } from '#domain/errors/error-table.js';
import { Metrics } from '../health/metrics.js';

/** After this number of consecutive failed fact writes, the failure counts as persistent. */
const PERSISTENT_FAILURES = 3;

/**
 * Detects when SEM_WRITE_FAIL persists, which makes it critical (SPEC §10), and remembers whether the log had no
 * room for the last append (SPEC F2).
 */
@Injectable()
export class WriteHealth {
  private failuresInARow = 0;
  private refusedSince: string | undefined;

  constructor(private readonly metrics: Metrics) {}

  /** The time of the first append that found the log full; undefined once an append succeeds. */
  get fullSince(): string | undefined {
    return this.refusedSince;
  }

  /** Called after an append for which the log had no room. */
  noteFull(): void {
    this.refusedSince ??= new Date().toISOString();
  }

  /** Called after a successful write. */
  noteSuccess(): void {
    this.refusedSince = undefined;
    if (this.failuresInARow === 0) return;
    this.failuresInARow = 0;
    this.metrics.semWriteFailuresInARow.set(0);
  }

  /** Returns the severity of a failure with this code, and counts a SEM_WRITE_FAIL. */
  severityOf(code: ErrorCode): Severity {
    const { severity } = ERROR_TABLE[code];
    if (code !== 'SEM_WRITE_FAIL') return severity;
    this.failuresInARow += 1;
    this.metrics.semWriteFailuresInARow.set(this.failuresInARow);
    return this.failuresInARow >= PERSISTENT_FAILURES ? 'critical' : severity;
  }
}
