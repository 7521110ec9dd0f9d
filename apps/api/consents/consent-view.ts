import { CONSENT_SCOPES, type ConsentScope } from '#domain/consent/events.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  many,
  oneOf,
  orNull,
  TEXT,
} from '../platform/http/answer-fields.js';

export class ConsentDto {
  @ApiField(TEXT) readonly consent_id!: string;
  @ApiField(TEXT) readonly user_id!: string;

  @ApiField(TEXT, { description: 'The words to which the user agreed, without personal data.' })
  readonly text!: string;

  @ApiField(oneOf(...CONSENT_SCOPES)) readonly scope!: ConsentScope;
  @ApiField(orNull(TEXT)) readonly job_seed!: string | null;
  @ApiField(INSTANT) readonly given_at!: string;
  @ApiField(orNull(INSTANT)) readonly revoked_at!: string | null;

  @ApiField(FLAG, {
    description: 'True once the council agreed that data of category high may be kept as well.',
  })
  readonly sensitive_data_approved!: boolean;
}

export class ConsentsDto {
  @ApiField(many(ConsentDto), { description: 'In the order in which they were given.' })
  readonly consents!: readonly ConsentDto[];
}
