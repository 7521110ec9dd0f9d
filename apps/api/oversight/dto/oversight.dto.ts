import {
  ApiField,
  INSTANT,
  many,
  one,
  orNull,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import { OneOf, PositionText, Text, Whole, UserIdText } from '../../platform/http/fields.js';
import { ConsentDto } from '../../consents/dto/consent.dto.js';

class NewestFirst {
  @PositionText({ optional: true, description: 'The `next_cursor` of the page before.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 })
  limit?: number;
}

export class AccessesQuery extends NewestFirst {
  @Text({ optional: true, min: 1, max: 256, description: 'The caller who read.' })
  sub?: string;

  @Text({ optional: true, min: 1, max: 512, description: 'The stream that was read.' })
  stream?: string;
}

export class RefusalsQuery extends NewestFirst {
  @Text({ optional: true, min: 1, max: 256, description: 'The caller who was refused.' })
  sub?: string;
}

export const CONSENT_STATUSES = ['given', 'revoked'] as const;

export class ConsentsQuery extends NewestFirst {
  @UserIdText({ optional: true })
  user_id?: string;

  @OneOf(CONSENT_STATUSES, { optional: true })
  status?: (typeof CONSENT_STATUSES)[number];
}

/** An event in the log, with the hash that proves it. */
export class AuditEventDto {
  @ApiField(TEXT)
  readonly stream!: string;

  @ApiField(WHOLE)
  readonly number!: number;

  @ApiField(TEXT)
  readonly position!: string;

  @ApiField(TEXT)
  readonly hash!: string;
}

class AuditEntry {
  @ApiField(TEXT, { description: 'The caller.' })
  readonly sub!: string;

  @ApiField(INSTANT)
  readonly recorded_at!: string;

  @ApiField(TEXT)
  readonly trace_id!: string;

  @ApiField(one(AuditEventDto), { description: 'The event that records it.' })
  readonly event!: AuditEventDto;
}

/** A read of personal data, which was recorded before the answer (SPEC G7). */
export class AdminAccessDto extends AuditEntry {
  @ApiField(TEXT, { description: 'The stream that was read.' })
  readonly stream!: string;

  @ApiField(orNull(WHOLE), { description: 'The version that was read; null for the latest one.' })
  readonly version!: number | null;

  @ApiField(orNull(TEXT), {
    description:
      'Why the caller read it, without personal data; null if the caller gave no reason.',
  })
  readonly reason!: string | null;
}

/** A command that a rule or a right refused (SPEC I1). */
export class RefusedCommandDto extends AuditEntry {
  @ApiField(TEXT)
  readonly code!: string;

  @ApiField(TEXT, { description: 'The HTTP method and path pattern, without ids.' })
  readonly route!: string;

  @ApiField(orNull(TEXT), { description: 'The stream that the command would have written.' })
  readonly stream!: string | null;

  @ApiField(WHOLE, {
    description: 'Earlier refusals that were only counted: more than 60 in a minute.',
  })
  readonly uncounted_before!: number;
}

export class AdminAccessesPageDto {
  @ApiField(many(AdminAccessDto), { description: 'The newest first.' })
  readonly accesses!: readonly AdminAccessDto[];

  @ApiField(orNull(TEXT))
  readonly next_cursor!: string | null;
}

export class RefusedCommandsPageDto {
  @ApiField(many(RefusedCommandDto), { description: 'The newest first.' })
  readonly refusals!: readonly RefusedCommandDto[];

  @ApiField(orNull(TEXT))
  readonly next_cursor!: string | null;
}

export class ConsentsPageDto {
  @ApiField(many(ConsentDto), { description: 'The newest first.' })
  readonly consents!: readonly ConsentDto[];

  @ApiField(orNull(TEXT))
  readonly next_cursor!: string | null;
}
