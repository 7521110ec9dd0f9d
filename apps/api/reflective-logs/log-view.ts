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
  ApiField,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

/** One agent's answer. */
export class AgentOutputDto {
  @ApiField(TEXT) readonly agent_id!: string;

  @ApiField(TEXT, {
    description:
      'At most 16,000 characters stand in the log; the whole of a longer one is what `artifact_url` names.',
  })
  readonly text!: string;

  @ApiField(NUMBER, { description: '0..1' })
  readonly confidence!: number;

  @ApiField(list(TEXT)) readonly reasoning_trace!: readonly string[];
  @ApiField(NUMBER) readonly tokens!: number;
  @ApiField(NUMBER) readonly time_ms!: number;
  @ApiField(TEXT, { optional: true }) readonly artifact_url?: string;
}

/** The scores of a vote, each between 0 and 1. */
export class VoteScoresDto {
  @ApiField(NUMBER) readonly factuality!: number;
  @ApiField(NUMBER) readonly coherence!: number;
  @ApiField(NUMBER) readonly safety!: number;
}

/** One council member's vote on an answer. */
export class CouncilVoteDto {
  @ApiField(TEXT) readonly council_agent_id!: string;
  @ApiField(one(VoteScoresDto)) readonly scores!: VoteScoresDto;
  @ApiField(FLAG) readonly approve!: boolean;
  @ApiField(TEXT) readonly suggested_changes!: string;

  @ApiField(TEXT, { description: 'At most 4,000 characters.' })
  readonly note!: string;
}

/** Replaces personal data that was removed from a log. */
export class LogRedactionDto {
  @ApiField(TEXT) readonly field!: string;
  @ApiField(TEXT) readonly type!: string;
  @ApiField(TEXT) readonly hash!: string;
  @ApiField(TEXT) readonly redaction_reason!: string;
}

/** HMAC-SHA256 over the canonical JSON of all other fields of the log. */
export class LogSignatureDto {
  @ApiField(TEXT) readonly key_id!: string;
  @ApiField(TEXT) readonly value!: string;
}

@ApiSchema({
  description:
    'A runtime’s own account of what it did: handed over with a job’s end, or part of a posted log.',
})
export class LogAccountDto {
  @ApiField(oneOf(...LOG_SOURCES)) readonly source!: LogSource;
  @ApiField(TEXT) readonly query_id!: string;

  @ApiField(TEXT, {
    description:
      '64 hex digits; preferably a keyed hash, because a plain hash of a short text can be guessed.',
  })
  readonly query_text_hash!: string;

  @ApiField(JSON_OBJECT) readonly qcp_summary!: JsonObject;
  @ApiField(list(TEXT)) readonly agents_invoked!: readonly string[];
  @ApiField(many(AgentOutputDto)) readonly agent_outputs!: readonly AgentOutputDto[];
  @ApiField(many(CouncilVoteDto)) readonly council_votes!: readonly CouncilVoteDto[];
  @ApiField(JSON_VALUE) readonly final_answer!: Json;

  @ApiField(orNull(NUMBER), { description: '0..1, or null if no agent answered.' })
  readonly final_confidence!: number | null;

  @ApiField(WHOLE) readonly repair_loops!: number;
  @ApiField(FLAG) readonly cache_hit!: boolean;
  @ApiField(JSON_OBJECT) readonly runtime_metrics!: JsonObject;
  @ApiField(TEXT) readonly system_version!: string;
}

/** All fields that never change (SPEC L1). */
export class LogFieldsDto extends LogAccountDto {
  @ApiField(TEXT, {
    description: 'A UUID of any version except 5, or a SHA-256, in lower case.',
  })
  readonly log_id!: string;

  @ApiField(INSTANT) readonly created_at!: string;
  @ApiField(TEXT) readonly sem_snapshot_hash!: string;
  @ApiField(TEXT) readonly job_seed!: string;

  @ApiField(TEXT, { description: 'The hash of the job stream’s last event.' })
  readonly stream_head_hash!: string;

  @ApiField(TEXT) readonly episodic_snapshot_id!: string;
  @ApiField(TEXT) readonly brainstate_snapshot_id!: string;
  @ApiField(list(JSON_OBJECT)) readonly evidence!: readonly JsonObject[];
  @ApiField(many(LogRedactionDto)) readonly redactions!: readonly LogRedactionDto[];
}

/**
 * A complete log to post. This class only serves openapi.json: the domain itself validates a posted log
 * and refuses an invalid one with LOG_INVALID (SPEC L5).
 */
@ApiSchema({
  description: 'A complete log: every field is required, and none of them ever changes.',
})
export class PostLogDto extends LogFieldsDto {
  @ApiField(one(LogSignatureDto), { optional: true, description: 'Verified if present.' })
  readonly signature?: LogSignatureDto;
}

/** A log as the service returns it. */
export class SignedLogDto extends LogFieldsDto {
  @ApiField(one(LogSignatureDto)) readonly signature!: LogSignatureDto;

  @ApiField(FLAG, { description: 'Whether the signature matches this log.' })
  readonly signature_valid!: boolean;

  @ApiField(oneOf('job', 'posted'), {
    description: '`job`: the log of an ended job; `posted`: posted by an agent.',
  })
  readonly origin!: 'job' | 'posted';
}

export class LogsPageDto {
  @ApiField(many(SignedLogDto), { description: 'Oldest first.' })
  readonly reflective_logs!: readonly SignedLogDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

export class LogPostedDto {
  @ApiField(TEXT) readonly log_id!: string;
  @ApiField(one(LogSignatureDto)) readonly signature!: LogSignatureDto;
}

export class AuthorDto {
  @ApiField(TEXT) readonly sub!: string;
  @ApiField(orNull(TEXT)) readonly user_id!: string | null;
  @ApiField(TEXT) readonly role!: string;
}

class Addition {
  @ApiField(INSTANT) readonly created_at!: string;
  @ApiField(one(AuthorDto)) readonly author!: AuthorDto;
  @ApiField(many(LogRedactionDto)) readonly redactions!: readonly LogRedactionDto[];
}

export class AmendmentViewDto extends Addition {
  @ApiField(TEXT) readonly amendment_id!: string;
  @ApiField(TEXT) readonly target_log_id!: string;
  @ApiField(JSON_OBJECT) readonly changes!: JsonObject;
  @ApiField(oneOf(...AMENDMENT_EFFECTS)) readonly effect!: AmendmentEffect;
}

export class FeedbackViewDto extends Addition {
  @ApiField(TEXT) readonly feedback_id!: string;

  @ApiField(orNull(WHOLE), { description: '1 to 5.' })
  readonly rating!: number | null;

  @ApiField(orNull(TEXT)) readonly comment!: string | null;
}

export class LabelViewDto extends Addition {
  @ApiField(TEXT) readonly label_id!: string;
  @ApiField(JSON_VALUE) readonly ground_truth_label!: Json;
}

export class ReviewViewDto extends Addition {
  @ApiField(TEXT) readonly review_id!: string;
  @ApiField(TEXT) readonly reason!: string;
}

@ApiSchema({
  description:
    'An event of an action request that cites an episode of this job, or the write that it led to.',
})
export class CouncilEventDto {
  @ApiField(TEXT) readonly request_id!: string;

  @ApiField(TEXT, { description: 'The type of the event.' })
  readonly kind!: string;

  @ApiField(TEXT) readonly stream!: string;

  @ApiField(WHOLE, { description: 'The number of the event in its stream.' })
  readonly event_number!: number;
}

export class AuditTagsDto {
  @ApiField(list(TEXT)) readonly audit_tags!: readonly string[];
}

/** A log with its additions, which do not change the log itself. */
export class LogWithAdditionsDto extends SignedLogDto {
  @ApiField(many(AmendmentViewDto)) readonly amendments!: readonly AmendmentViewDto[];
  @ApiField(many(FeedbackViewDto)) readonly user_feedback!: readonly FeedbackViewDto[];
  @ApiField(many(LabelViewDto)) readonly ground_truth_labels!: readonly LabelViewDto[];
  @ApiField(list(TEXT)) readonly audit_tags!: readonly string[];

  @ApiField(many(CouncilEventDto), {
    description: 'The action requests on episodes of this job: votes, outcomes and writes.',
  })
  readonly council_events!: readonly CouncilEventDto[];

  @ApiField(orNull(one(ReviewViewDto)), {
    description: 'The open human review.',
  })
  readonly open_review!: ReviewViewDto | null;

  @ApiField(
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
  @ApiField(TEXT) readonly log_id!: string;

  @ApiField(oneOf('tampered', 'missing', 'forged', 'unverifiable', 'broken'), {
    description: FAULT_WORDS,
  })
  readonly fault!: 'tampered' | 'missing' | 'forged' | 'unverifiable' | 'broken';

  @ApiField(TEXT) readonly reason!: string;
  @ApiField(orNull(TEXT)) readonly quarantine_id!: string | null;

  @ApiField(FLAG, { description: 'Whether the row was restored from the log.' })
  readonly healed!: boolean;
}

export class LogVerificationDto {
  @ApiField(WHOLE) readonly checked!: number;
  @ApiField(WHOLE) readonly intact!: number;
  @ApiField(many(LogFindingDto)) readonly findings!: readonly LogFindingDto[];
}

export class QuarantineEntryDto {
  @ApiField(TEXT) readonly quarantine_id!: string;

  @ApiField(oneOf('tampered', 'missing', 'forged', 'submitted'))
  readonly fault!: 'tampered' | 'missing' | 'forged' | 'submitted';

  @ApiField(orNull(TEXT)) readonly log_id!: string | null;
  @ApiField(TEXT) readonly reason!: string;
  @ApiField(INSTANT) readonly at!: string;
  @ApiField(JSON_OBJECT) readonly detail!: JsonObject;
}

export class QuarantinePageDto {
  @ApiField(many(QuarantineEntryDto)) readonly quarantine!: readonly QuarantineEntryDto[];
  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}
