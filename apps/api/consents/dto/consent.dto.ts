import { CONSENT_ID } from '#domain/consent/state.js';
import { CONSENT_SCOPES, type ConsentScope } from '#domain/consent/events.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  many,
  oneOf,
  orNull,
  TEXT,
} from '../../platform/http/answer-fields.js';
import { OneOf, SeedText, Text } from '../../platform/http/fields.js';

export class GiveConsentDto {
  @Text({
    min: 1,
    max: 8_000,
    description: 'The words to which the user agrees, at most 4,000 characters.',
  })
  text!: string;

  @OneOf(CONSENT_SCOPES, {
    description: '`job`: for the data of one job; `persistent`: until it is revoked.',
  })
  scope!: ConsentScope;

  @SeedText({ optional: true, description: 'The job of a consent with scope `job`.' })
  job_seed?: string;
}

export class ConsentPath {
  @Text({ min: 1, max: 128, pattern: CONSENT_ID })
  id!: string;
}

export class ConsentDto {
  @ApiField(TEXT)
  readonly consent_id!: string;

  @ApiField(TEXT)
  readonly user_id!: string;

  @ApiField(TEXT, { description: 'The words to which the user agreed, without personal data.' })
  readonly text!: string;

  @ApiField(oneOf(...CONSENT_SCOPES))
  readonly scope!: ConsentScope;

  @ApiField(orNull(TEXT))
  readonly job_seed!: string | null;

  @ApiField(INSTANT)
  readonly given_at!: string;

  @ApiField(orNull(INSTANT))
  readonly revoked_at!: string | null;

  @ApiField(FLAG, {
    description: 'True once the council agreed that data of category high may be kept as well.',
  })
  readonly sensitive_data_approved!: boolean;
}

export class ConsentsDto {
  @ApiField(many(ConsentDto), { description: 'In the order in which they were given.' })
  readonly consents!: readonly ConsentDto[];
}
