import {
  ApiField,
  INSTANT,
  many,
  one,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { ConsentDto } from '../consents/consent-view.js';

/** An event in the log, with the hash that proves it. */
export class AuditEventDto {
  @ApiField(TEXT) readonly stream!: string;
  @ApiField(WHOLE) readonly number!: number;
  @ApiField(TEXT) readonly position!: string;
  @ApiField(TEXT) readonly hash!: string;
}

class AuditEntry {
  @ApiField(TEXT, { description: 'The caller.' })
  readonly sub!: string;

  @ApiField(INSTANT) readonly recorded_at!: string;
  @ApiField(TEXT) readonly trace_id!: string;

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
  @ApiField(TEXT) readonly code!: string;

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

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

export class RefusedCommandsPageDto {
  @ApiField(many(RefusedCommandDto), { description: 'The newest first.' })
  readonly refusals!: readonly RefusedCommandDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

export class ConsentsPageDto {
  @ApiField(many(ConsentDto), { description: 'The newest first.' })
  readonly consents!: readonly ConsentDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}
