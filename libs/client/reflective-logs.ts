import type { Json } from './json.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** What one agent said. */
export type AgentOutput = Schemas['AgentOutputDto'];

/** How one member of a council judged an answer. */
export type CouncilVote = Schemas['CouncilVoteDto'];

/** A runtime's own account of what it did: handed over with the end of a job, or part of a posted log. */
export type LogAccount = Schemas['LogAccountDto'];

/** What stands in a log for personal data that was taken out. */
export type LogRedaction = Schemas['LogRedactionDto'];

/** A whole log, as it is posted: every field is needed, and none of them ever changes. */
export type PostLog = Schemas['PostLogDto'];

/** HMAC-SHA256 over the canonical JSON of all fields of `PostLog` but this one. */
export type LogSignature = Schemas['LogSignatureDto'];

/** A log as the service keeps it. */
export type SignedLog = Schemas['SignedLogDto'];

export type AmendmentEffect = Amendment['effect'];
export type Amendment = Schemas['AmendmentViewDto'];
export type Feedback = Schemas['FeedbackViewDto'];
export type GroundTruthLabel = Schemas['LabelViewDto'];
export type Review = Schemas['ReviewViewDto'];

/** A log with what was added to it, which changes nothing in it. */
export type LogWithAdditions = Schemas['LogWithAdditionsDto'];

/** `tampered`, `missing`, `forged`: quarantined and healed. `unverifiable`: the key is not known here. */
export type LogFinding = Schemas['LogFindingDto'];

export type LogVerification = Schemas['LogVerificationDto'];

export type QuarantineEntry = Schemas['QuarantineEntryDto'];

/** Signed accounts of what jobs and agents did. */
export class ReflectiveLogs {
  constructor(private readonly transport: Transport) {}

  /** Writes a log. Fails with LOG_EXISTS for a known id, with LOG_INVALID for what is not a whole log. */
  post(log: PostLog, options?: WriteOptions): Promise<Schemas['LogPostedDto']> {
    return this.write('', log, options);
  }

  /** One log, with every addition that was acknowledged before. */
  get(logId: string, options?: ReadOptions): Promise<LogWithAdditions> {
    return this.transport.json({ method: 'GET', path: pathOf(`/${logId}`), options });
  }

  /** The whole texts of a log's long outputs, by `artifact_url`; null for one that is gone or has changed. */
  async artifacts(
    logId: string,
    options?: ReadOptions,
  ): Promise<Readonly<Record<string, string | null>>> {
    const { artifacts } = await this.transport.json<{ artifacts: Record<string, string | null> }>({
      method: 'GET',
      path: pathOf(`/${logId}`),
      query: { artifacts: 'true' },
      options,
    });
    return artifacts;
  }

  /** One page, oldest first; of one's own logs, unless council, auditor or admin. */
  list(
    filter: QueryOf<'/v1/reflective-logs'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['LogsPageDto']> {
    const query = { ...filter };
    return this.transport.json({ method: 'GET', path: pathOf(''), query, options });
  }

  /** Corrects or comments a log, which itself stays as it is. */
  amend(
    logId: string,
    amendment: Schemas['AmendmentDto'],
    options?: WriteOptions,
  ): Promise<Amendment> {
    return this.write(`/${logId}/amendments`, amendment, options);
  }

  /** What the user thinks of the answer: a rating from 1 to 5, a comment or both. Users. */
  giveFeedback(
    logId: string,
    feedback: Schemas['FeedbackDto'],
    options?: WriteOptions,
  ): Promise<Feedback> {
    return this.write(`/${logId}/feedback`, feedback, options);
  }

  /** What turned out to be true. */
  label(
    logId: string,
    ground_truth_label: Json,
    options?: WriteOptions,
  ): Promise<GroundTruthLabel> {
    return this.write(`/${logId}/labels`, { ground_truth_label }, options);
  }

  /** Tags of the audit; answers all that the log has. Auditors and admins. */
  tag(
    logId: string,
    audit_tags: readonly string[],
    options?: WriteOptions,
  ): Promise<Schemas['AuditTagsDto']> {
    return this.write(`/${logId}/tags`, { audit_tags }, options);
  }

  /** Asks the council to look at it; one that is open already is the answer to a second. */
  requestReview(logId: string, reason: string, options?: WriteOptions): Promise<Review> {
    return this.write(`/${logId}/reviews`, { reason }, options);
  }

  /** Checks every row against its signature and the log; what differs is quarantined and healed. */
  verify(options?: WriteOptions): Promise<LogVerification> {
    return this.write('/verification', {}, options);
  }

  /** One page of what was no good. Auditors and admins. */
  quarantine(
    filter: QueryOf<'/v1/quarantine'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['QuarantinePageDto']> {
    const query = { ...filter };
    return this.transport.json({ method: 'GET', path: '/v1/quarantine', query, options });
  }

  private write<Answer>(below: string, body: object, options?: WriteOptions): Promise<Answer> {
    return this.transport.json({ method: 'POST', path: pathOf(below), body, options });
  }
}

const pathOf = (below: string): string => `/v1/reflective-logs${below}`;
