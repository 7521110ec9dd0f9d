import { bodyOf } from './arguments.js';
import type { Schemas } from './schemas.js';
import type { CallOptions, Transport, WriteOptions } from './transport.js';

/** A problem in the event log, at one event of one stream. */
export type IntegrityFinding = Schemas['IntegrityFindingDto'];

/** A verification of the event log; while `finished_at` is null, this is its progress. */
export type IntegrityReport = Schemas['IntegrityReportDto'];

/** The figures of a verification that ended. */
export type IntegrityRun = Schemas['IntegrityRunDto'];

/** The verification of the event log. Only for auditors and admins. */
export class Integrity {
  constructor(private readonly transport: Transport) {}

  /**
   * Verifies every stream of the event log, with `decisions` also by replaying it. Returns the result or,
   * if the verification takes longer than 10 s, its progress; `findings` then returns the result.
   */
  verify(
    request: Schemas['VerifyEventLog'] = {},
    options?: WriteOptions,
  ): Promise<IntegrityReport> {
    return this.transport.post(
      '/v1/integrity/verification',
      bodyOf('request?', request, 'POST /v1/integrity/verification'),
      options,
    );
  }

  /** Returns the last verification that finished, and the one that runs now, on whichever instance. */
  findings(options?: CallOptions): Promise<Schemas['IntegrityFindingsDto']> {
    return this.transport.get('/v1/integrity/findings', {}, options);
  }

  /** Returns the figures of the last 100 verifications that ended, the newest first. */
  async runs(options?: CallOptions): Promise<readonly IntegrityRun[]> {
    return (
      await this.transport.get<Schemas['IntegrityRunsDto']>('/v1/integrity/runs', {}, options)
    ).runs;
  }
}
