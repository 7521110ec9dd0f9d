import { ApiSchema } from '@nestjs/swagger';
import { INSTANT, one, oneOf, orNull, Shown, TEXT, WHOLE } from '../http/answer-fields.js';

export class EnvelopeMetaDto {
  @Shown(orNull(TEXT))
  readonly query_id!: string | null;

  @Shown(INSTANT)
  readonly timestamp!: string;

  @Shown(TEXT, { description: 'The request’s id in the service’s logs.' })
  readonly trace_id!: string;
}

/** The body of every error (SPEC §10). Some codes add fields, such as `result` of SEM_NOT_FOUND. */
@ApiSchema({ description: 'The body of every error. Some codes add fields.' })
export class ErrorEnvelopeDto {
  @Shown(TEXT, { description: 'A stable code to compare with, such as VERSION_CONFLICT.' })
  readonly error_code!: string;

  @Shown(WHOLE, { description: 'The HTTP status.' })
  readonly status!: number;

  @Shown(oneOf('info', 'warning', 'error', 'critical'))
  readonly severity!: 'info' | 'warning' | 'error' | 'critical';

  @Shown(TEXT, { description: 'A fixed sentence for the user.' })
  readonly user_message!: string;

  @Shown(TEXT, {
    description: 'A fixed sentence for the developer: keys, ids and rules, never a personal value.',
  })
  readonly developer_message!: string;

  @Shown(one(EnvelopeMetaDto))
  readonly meta!: EnvelopeMetaDto;
}
