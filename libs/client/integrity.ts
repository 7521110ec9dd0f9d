import { bodyOf, pathPart } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { CallOptions, ReadOptions, Transport, WriteOptions } from './transport.js';

/** A problem in the event log, at one event of one stream. */
export type IntegrityFinding = Schemas['IntegrityFindingDto'];

/** A verification of the event log; while `finished_at` is null, this is its progress. */
export type IntegrityReport = Schemas['IntegrityReportDto'];

/** The figures of a verification that ended. */
export type IntegrityRun = Schemas['IntegrityRunDto'];

/** A signed checkpoint of the event log, and where its file is kept. */
export type LogCheckpoint = Schemas['LogCheckpointDto'];

/** A page of checkpoints, with the schedule and the one that is made now. */
export type LogCheckpointsPage = Schemas['LogCheckpointsPageDto'];

/** The public keys by which a service signs, as a JWK set. */
export interface SigningKeys {
  /** The present key, and then those that it replaced. */
  readonly keys: readonly {
    /** The thumbprint of the key (RFC 7638), which signed files name as `key_id`. */
    readonly kid: string;
    /** The public key. */
    readonly x: string;
    readonly kty: 'OKP';
    readonly crv: 'Ed25519';
    readonly use: 'sig';
    readonly alg: 'EdDSA';
  }[];
}

/** The making of a checkpoint; while `finished_at` is null, this is its progress. */
export type CheckpointRun = Schemas['CheckpointRunDto'];

/** A comparison of the event log with a checkpoint; while `finished_at` is null, this is its progress. */
export type LogComparison = Schemas['LogComparisonDto'];

const CHECKPOINTS = '/v1/integrity/checkpoints';

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

  /** Returns the public keys of the service's signatures: `mace verify --key` takes them as a file. */
  keys(options?: CallOptions): Promise<SigningKeys> {
    return this.transport.get('/.well-known/jwks.json', {}, options);
  }

  /** Returns the figures of the last 100 verifications that ended, the newest first. */
  async runs(options?: CallOptions): Promise<readonly IntegrityRun[]> {
    return (
      await this.transport.get<Schemas['IntegrityRunsDto']>('/v1/integrity/runs', {}, options)
    ).runs;
  }

  /**
   * Signs where every stream of the log ends, and keeps the file. Returns the result or, if that takes longer than
   * 10 s, its progress; `checkpoints` then lists it.
   */
  checkpoint(options?: WriteOptions): Promise<CheckpointRun> {
    return this.transport.post(CHECKPOINTS, {}, options);
  }

  /** Returns one page of checkpoints, the newest first, with the schedule and the one that is made now. */
  checkpoints(
    filter: QueryOf<'/v1/integrity/checkpoints'> = {},
    options?: ReadOptions,
  ): Promise<LogCheckpointsPage> {
    return this.transport.get(
      CHECKPOINTS,
      bodyOf('filter?', filter, 'GET /v1/integrity/checkpoints'),
      options,
    );
  }

  /** Yields the lines of a checkpoint's file. */
  checkpointFile(logCheckpointId: string, options?: ReadOptions): AsyncGenerator<string> {
    return this.transport.lines(
      `${CHECKPOINTS}/${pathPart('logCheckpointId', logCheckpointId)}`,
      {},
      options,
    );
  }

  /**
   * Compares the log with a checkpoint that was made here. Returns the result or, if that takes longer than 10 s, its
   * progress; `comparisons` then returns the result.
   */
  compare(logCheckpointId: string, options?: WriteOptions): Promise<LogComparison> {
    return this.transport.post(
      `${CHECKPOINTS}/${pathPart('logCheckpointId', logCheckpointId)}/comparisons`,
      {},
      options,
    );
  }

  /** Does the same with a checkpoint file that the caller has. */
  compareFile(file: string | Blob, options?: WriteOptions): Promise<LogComparison> {
    return this.transport.json({
      ...{ method: 'POST', path: '/v1/integrity/comparisons', file },
      ...(options && { options }),
    });
  }

  /** Returns the last comparison that finished, and the one that runs now, on whichever instance. */
  comparisons(options?: CallOptions): Promise<Schemas['LogComparisonsDto']> {
    return this.transport.get('/v1/integrity/comparisons', {}, options);
  }
}
