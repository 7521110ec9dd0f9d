import { ApiSchema } from '@nestjs/swagger';
import { INSTANT, one, oneOf, orNull, Shown, TEXT, WHOLE } from '../http/answer-fields.js';

export class EnvelopeMetaDto {
  @Shown(orNull(TEXT))
  readonly query_id!: string | null;

  @Shown(INSTANT)
  readonly timestamp!: string;

  @Shown(TEXT, { description: 'Names the request in the logs of the service.' })
  readonly trace_id!: string;
}

/** The body of every error (SPEC §10). Some codes add fields, such as `result` of SEM_NOT_FOUND. */
@ApiSchema({ description: 'The answer to every failure. Some codes add fields of their own.' })
export class ErrorEnvelopeDto {
  @Shown(TEXT, { description: 'Stable, to be compared with, such as VERSION_CONFLICT.' })
  readonly error_code!: string;

  @Shown(WHOLE, { description: 'The HTTP status.' })
  readonly status!: number;

  @Shown(oneOf('info', 'warning', 'error', 'critical'))
  readonly severity!: 'info' | 'warning' | 'error' | 'critical';

  @Shown(TEXT, { description: 'A fixed sentence for the person in front of the screen.' })
  readonly user_message!: string;

  @Shown(TEXT, {
    description: 'A fixed sentence for the developer: keys, ids and rules, never a personal value.',
  })
  readonly developer_message!: string;

  @Shown(one(EnvelopeMetaDto))
  readonly meta!: EnvelopeMetaDto;
}
