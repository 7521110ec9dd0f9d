import { bodyOf, pathPart, requireArguments } from './arguments.js';
import type { Json } from './json.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** One agent's answer. */
export type AgentOutput = Schemas['AgentOutputDto'];

/** One council member's vote on an answer. */
export type CouncilVote = Schemas['CouncilVoteDto'];

/** A runtime's own log of its work. It is sent with the end of a job, or is part of a posted log. */
export type LogAccount = Schemas['LogAccountDto'];

/** Replaces personal data that was removed from a log. */
export type LogRedaction = Schemas['LogRedactionDto'];

/** A complete log to post. All its fields are required and never change. */
export type PostLog = Schemas['PostLogDto'];

/** HMAC-SHA256 over the canonical JSON of all other fields of `PostLog`. */
export type LogSignature = Schemas['LogSignatureDto'];

/** A log as the service returns it. */
export type SignedLog = Schemas['SignedLogDto'];

export type AmendmentEffect = Amendment['effect'];
export type Amendment = Schemas['AmendmentViewDto'];
export type Feedback = Schemas['FeedbackViewDto'];
export type GroundTruthLabel = Schemas['LabelViewDto'];
export type Review = Schemas['ReviewViewDto'];

/** A log with its additions, which do not change the log itself. */
export type LogWithAdditions = Schemas['LogWithAdditionsDto'];

/**
 * A row that failed verification. `tampered`, `missing`, `forged`: the row was quarantined and restored.
 * `unverifiable`: the service does not know the key.
 */
export type LogFinding = Schemas['LogFindingDto'];

export type LogVerification = Schemas['LogVerificationDto'];

export type QuarantineEntry = Schemas['QuarantineEntryDto'];

/** Signed logs of jobs and agents. */
export class ReflectiveLogs {
  constructor(private readonly transport: Transport) {}

  /** Writes a log. Fails with LOG_EXISTS for an existing id, and with LOG_INVALID for an incomplete or invalid log. */
  post(log: PostLog, options?: WriteOptions): Promise<Schemas['LogPostedDto']> {
    return this.write('', bodyOf('log', log, 'POST /v1/reflective-logs'), options);
  }

  /** Returns one log, with every addition that was acknowledged before. */
  get(logId: string, options?: ReadOptions): Promise<LogWithAdditions> {
    return this.transport.get(pathOf(`/${pathPart('logId', logId)}`), {}, options);
  }

  /**
   * Returns the complete texts of a log's long outputs, keyed by `artifact_url`; null for a text that is
   * missing or has changed.
   */
  async artifacts(
    logId: string,
    options?: ReadOptions,
  ): Promise<Readonly<Record<string, string | null>>> {
    const { artifacts } = await this.transport.get<{ artifacts: Record<string, string | null> }>(
      pathOf(`/${pathPart('logId', logId)}`),
      { artifacts: 'true' },
      options,
    );
    return artifacts;
  }

  /**
   * Returns one page of logs, oldest first. Callers see their own logs; only council members, auditors
   * and admins see the logs of others as well.
   */
  list(
    filter: QueryOf<'/v1/reflective-logs'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['LogsPageDto']> {
    return this.transport.get(
      pathOf(''),
      { ...bodyOf('filter?', filter, 'GET /v1/reflective-logs') },
      options,
    );
  }

  /** Corrects or comments on a log, which itself does not change. */
  amend(logId: string, amendment: Schemas['AmendLog'], options?: WriteOptions): Promise<Amendment> {
    return this.write(
      `/${pathPart('logId', logId)}/amendments`,
      bodyOf('amendment', amendment, 'POST /v1/reflective-logs/{id}/amendments'),
      options,
    );
  }

  /** Adds the user's feedback on the answer: a rating from 1 to 5, a comment, or both. Only for users. */
  giveFeedback(
    logId: string,
    feedback: Schemas['GiveFeedback'],
    options?: WriteOptions,
  ): Promise<Feedback> {
    return this.write(
      `/${pathPart('logId', logId)}/feedback`,
      bodyOf('feedback', feedback, 'POST /v1/reflective-logs/{id}/feedback'),
      options,
    );
  }

  /** Records the right answer (ground truth) for a log. */
  label(
    logId: string,
    ground_truth_label: Json,
    options?: WriteOptions,
  ): Promise<GroundTruthLabel> {
    requireArguments({ ground_truth_label }, { ground_truth_label: 'json' });
    return this.write(`/${pathPart('logId', logId)}/labels`, { ground_truth_label }, options);
  }

  /** Adds audit tags and returns all tags of the log. For the agent that owns the log, auditors and admins. */
  tag(
    logId: string,
    audit_tags: readonly string[],
    options?: WriteOptions,
  ): Promise<Schemas['AuditTagsDto']> {
    requireArguments({ audit_tags }, { audit_tags: 'texts' });
    return this.write(`/${pathPart('logId', logId)}/tags`, { audit_tags }, options);
  }

  /** Requests a review by the council. While a review is open, a further request returns the open one. */
  requestReview(logId: string, reason: string, options?: WriteOptions): Promise<Review> {
    requireArguments({ reason }, { reason: 'text' });
    return this.write(`/${pathPart('logId', logId)}/reviews`, { reason }, options);
  }

  /**
   * Checks every row against its signature and against the event log. Rows that differ are quarantined
   * and restored.
   */
  verify(options?: WriteOptions): Promise<LogVerification> {
    return this.write('/verification', {}, options);
  }

  /** Returns one page of quarantined logs and rows. Only for auditors and admins. */
  quarantine(
    filter: QueryOf<'/v1/quarantine'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['QuarantinePageDto']> {
    return this.transport.get(
      '/v1/quarantine',
      { ...bodyOf('filter?', filter, 'GET /v1/quarantine') },
      options,
    );
  }

  private write<Answer>(below: string, body: object, options?: WriteOptions): Promise<Answer> {
    return this.transport.post(pathOf(below), body, options);
  }
}

const pathOf = (below: string): string => `/v1/reflective-logs${below}`;
