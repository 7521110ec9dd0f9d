import { ApiSchema } from '@nestjs/swagger';
import type { Json, JsonObject } from '#domain/json.js';
import { AMENDMENT_EFFECTS, type AmendmentEffect } from '#domain/reflective-log/events.js';
import { LOG_SOURCES, type LogSource } from '#domain/reflective-log/fields.js';
import {
  FLAG,
  INSTANT,
  JSON_OBJECT,
  JSON_VALUE,
  list,
  many,
  NUMBER,
  one,
  oneOf,
  orNull,
  Shown,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

/** One agent's answer. */
export class AgentOutputDto {
  @Shown(TEXT)
  readonly agent_id!: string;

  @Shown(TEXT, {
    description:
      'At most 16,000 characters stand in the log; the whole of a longer one is what `artifact_url` names.',
  })
  readonly text!: string;

  @Shown(NUMBER, { description: '0..1' })
  readonly confidence!: number;

  @Shown(list(TEXT))
  readonly reasoning_trace!: readonly string[];

  @Shown(NUMBER)
  readonly tokens!: number;

  @Shown(NUMBER)
  readonly time_ms!: number;

  @Shown(TEXT, { optional: true })
  readonly artifact_url?: string;
}

/** Each score is between 0 and 1. */
export class VoteScoresDto {
  @Shown(NUMBER)
  readonly factuality!: number;

  @Shown(NUMBER)
  readonly coherence!: number;

  @Shown(NUMBER)
  readonly safety!: number;
}

/** One council member's vote on an answer. */
export class CouncilVoteDto {
  @Shown(TEXT)
  readonly council_agent_id!: string;

  @Shown(one(VoteScoresDto))
  readonly scores!: VoteScoresDto;

  @Shown(FLAG)
  readonly approve!: boolean;

  @Shown(TEXT)
  readonly suggested_changes!: string;

  @Shown(TEXT, { description: 'At most 4,000 characters.' })
  readonly note!: string;
}

/** The replacement for personal data that was removed from a log. */
export class LogRedactionDto {
  @Shown(TEXT)
  readonly field!: string;

  @Shown(TEXT)
  readonly type!: string;

  @Shown(TEXT)
  readonly hash!: string;

  @Shown(TEXT)
  readonly redaction_reason!: string;
}

/** HMAC-SHA256 over the canonical JSON of all other fields of the log. */
export class LogSignatureDto {
  @Shown(TEXT)
  readonly key_id!: string;

  @Shown(TEXT)
  readonly value!: string;
}

/** A runtime's own log of its work: part of a posted log, or sent with the end of a job. */
@ApiSchema({
  description:
    'A runtime’s own account of what it did: handed over with a job’s end, or part of a posted log.',
})
export class LogAccountDto {
  @Shown(oneOf(...LOG_SOURCES))
  readonly source!: LogSource;

  @Shown(TEXT)
  readonly query_id!: string;

  @Shown(TEXT, {
    description:
      '64 hex digits; preferably a keyed hash, because a plain hash of a short text can be guessed.',
  })
  readonly query_text_hash!: string;

  @Shown(JSON_OBJECT)
  readonly qcp_summary!: JsonObject;

  @Shown(list(TEXT))
  readonly agents_invoked!: readonly string[];

  @Shown(many(AgentOutputDto))
  readonly agent_outputs!: readonly AgentOutputDto[];

  @Shown(many(CouncilVoteDto))
  readonly council_votes!: readonly CouncilVoteDto[];

  @Shown(JSON_VALUE)
  readonly final_answer!: Json;

  @Shown(orNull(NUMBER), { description: '0..1, or null if no agent answered.' })
  readonly final_confidence!: number | null;

  @Shown(WHOLE)
  readonly repair_loops!: number;

  @Shown(FLAG)
  readonly cache_hit!: boolean;

  @Shown(JSON_OBJECT)
  readonly runtime_metrics!: JsonObject;

  @Shown(TEXT)
  readonly system_version!: string;
}

/** All fields that never change (SPEC L1). */
export class LogFieldsDto extends LogAccountDto {
  @Shown(TEXT, { description: 'A UUID of any version except 5, or a SHA-256, in lower case.' })
  readonly log_id!: string;

  @Shown(INSTANT)
  readonly created_at!: string;

  @Shown(TEXT)
  readonly sem_snapshot_hash!: string;

  @Shown(TEXT)
  readonly job_seed!: string;

  @Shown(TEXT, { description: 'The hash of the job stream’s last event.' })
  readonly stream_head_hash!: string;

  @Shown(TEXT)
  readonly episodic_snapshot_id!: string;

  @Shown(TEXT)
  readonly brainstate_snapshot_id!: string;

  @Shown(list(JSON_OBJECT))
  readonly evidence!: readonly JsonObject[];

  @Shown(many(LogRedactionDto))
  readonly redactions!: readonly LogRedactionDto[];
}

/**
 * A complete log to post. Only for openapi.json: the domain validates a posted log and refuses an invalid one
 * with LOG_INVALID (SPEC L5).
 */
@ApiSchema({
  description: 'A complete log: every field is required, and none of them ever changes.',
})
export class PostLogDto extends LogFieldsDto {
  @Shown(one(LogSignatureDto), { optional: true, description: 'Verified if present.' })
  readonly signature?: LogSignatureDto;
}

/** A log as the service returns it. */
export class SignedLogDto extends LogFieldsDto {
  @Shown(one(LogSignatureDto))
  readonly signature!: LogSignatureDto;

  @Shown(FLAG, { description: 'Whether the signature matches this log.' })
  readonly signature_valid!: boolean;

  @Shown(oneOf('job', 'posted'), {
    description: '`job`: the log of an ended job; `posted`: posted by an agent.',
  })
  readonly origin!: 'job' | 'posted';
}

export class LogsPageDto {
  @Shown(many(SignedLogDto), { description: 'Oldest first.' })
  readonly reflective_logs!: readonly SignedLogDto[];

  @Shown(orNull(TEXT))
  readonly next_cursor!: string | null;
}

export class LogPostedDto {
  @Shown(TEXT)
  readonly log_id!: string;

  @Shown(one(LogSignatureDto))
  readonly signature!: LogSignatureDto;
}

export class AuthorDto {
  @Shown(TEXT)
  readonly sub!: string;

  @Shown(orNull(TEXT))
  readonly user_id!: string | null;

  @Shown(TEXT)
  readonly role!: string;
}

class Addition {
  @Shown(INSTANT)
  readonly created_at!: string;

  @Shown(one(AuthorDto))
  readonly author!: AuthorDto;

  @Shown(many(LogRedactionDto))
  readonly redactions!: readonly LogRedactionDto[];
}

export class AmendmentViewDto extends Addition {
  @Shown(TEXT)
  readonly amendment_id!: string;

  @Shown(TEXT)
  readonly target_log_id!: string;

  @Shown(JSON_OBJECT)
  readonly changes!: JsonObject;

  @Shown(oneOf(...AMENDMENT_EFFECTS))
  readonly effect!: AmendmentEffect;
}

export class FeedbackViewDto extends Addition {
  @Shown(TEXT)
  readonly feedback_id!: string;

  @Shown(orNull(WHOLE), { description: '1 to 5.' })
  readonly rating!: number | null;

  @Shown(orNull(TEXT))
  readonly comment!: string | null;
}

export class LabelViewDto extends Addition {
  @Shown(TEXT)
  readonly label_id!: string;

  @Shown(JSON_VALUE)
  readonly ground_truth_label!: Json;
}

export class ReviewViewDto extends Addition {
  @Shown(TEXT)
  readonly review_id!: string;

  @Shown(TEXT)
  readonly reason!: string;
}

export class AuditTagsDto {
  @Shown(list(TEXT))
  readonly audit_tags!: readonly string[];
}

/** A log with its additions, which do not change the log itself. */
export class LogWithAdditionsDto extends SignedLogDto {
  @Shown(many(AmendmentViewDto))
  readonly amendments!: readonly AmendmentViewDto[];

  @Shown(many(FeedbackViewDto))
  readonly user_feedback!: readonly FeedbackViewDto[];

  @Shown(many(LabelViewDto))
  readonly ground_truth_labels!: readonly LabelViewDto[];

  @Shown(list(TEXT))
  readonly audit_tags!: readonly string[];

  @Shown(orNull(one(ReviewViewDto)), {
    description: 'The open human review.',
  })
  readonly open_review!: ReviewViewDto | null;

  @Shown(
    { type: 'object', additionalProperties: orNull(TEXT) },
    {
      optional: true,
      description:
        'Where `artifacts` asks for them: the whole texts by `artifact_url`; null for one that is gone or has changed.',
    },
  )
  readonly artifacts?: Readonly<Record<string, string | null>>;
}

const FAULT_WORDS =
  '`tampered`, `missing`, `forged`: quarantined and healed. `unverifiable`: the key is not known here.';

export class LogFindingDto {
  @Shown(TEXT)
  readonly log_id!: string;

  @Shown(oneOf('tampered', 'missing', 'forged', 'unverifiable', 'broken'), {
    description: FAULT_WORDS,
  })
  readonly fault!: 'tampered' | 'missing' | 'forged' | 'unverifiable' | 'broken';

  @Shown(TEXT)
  readonly reason!: string;

  @Shown(orNull(TEXT))
  readonly quarantine_id!: string | null;

  @Shown(FLAG, { description: 'Whether the row was restored from the log.' })
  readonly healed!: boolean;
}

export class LogVerificationDto {
  @Shown(WHOLE)
  readonly checked!: number;

  @Shown(WHOLE)
  readonly intact!: number;

  @Shown(many(LogFindingDto))
  readonly findings!: readonly LogFindingDto[];
}

export class QuarantineEntryDto {
  @Shown(TEXT)
  readonly quarantine_id!: string;

  @Shown(oneOf('tampered', 'missing', 'forged', 'submitted'))
  readonly fault!: 'tampered' | 'missing' | 'forged' | 'submitted';

  @Shown(orNull(TEXT))
  readonly log_id!: string | null;

  @Shown(TEXT)
  readonly reason!: string;

  @Shown(INSTANT)
  readonly at!: string;

  @Shown(JSON_OBJECT)
  readonly detail!: JsonObject;
}

export class QuarantinePageDto {
  @Shown(many(QuarantineEntryDto))
  readonly quarantine!: readonly QuarantineEntryDto[];

  @Shown(orNull(TEXT))
  readonly next_cursor!: string | null;
}
