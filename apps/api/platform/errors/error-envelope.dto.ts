import { ApiSchema } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '#domain/errors/error-table.js';
import { INSTANT, one, oneOf, orNull, ApiField, TEXT, WHOLE } from '../http/answer-fields.js';

export class EnvelopeMetaDto {
  @ApiField(orNull(TEXT)) readonly query_id!: string | null;
  @ApiField(INSTANT) readonly timestamp!: string;

  @ApiField(TEXT, { description: 'The request’s id in the service’s logs.' })
  readonly trace_id!: string;
}

@ApiSchema({ description: 'The body of every error. Some codes add fields.' })
export class ErrorEnvelopeDto {
  @ApiField(oneOf(...ERROR_CODES), {
    description: 'A stable code to compare with, such as VERSION_CONFLICT.',
  })
  readonly error_code!: ErrorCode;

  @ApiField(WHOLE, { description: 'The HTTP status.' })
  readonly status!: number;

  @ApiField(oneOf('info', 'warning', 'error', 'critical'))
  readonly severity!: 'info' | 'warning' | 'error' | 'critical';

  @ApiField(TEXT, { description: 'A fixed sentence for the user.' })
  readonly user_message!: string;

  @ApiField(TEXT, {
    description: 'A fixed sentence for the developer: keys, ids and rules, never a personal value.',
  })
  readonly developer_message!: string;

  @ApiField(WHOLE, {
    optional: true,
    description: 'The index of the refused command of a batch, from 0, if one command was refused.',
  })
  readonly command_index?: number;

  @ApiField(one(EnvelopeMetaDto)) readonly meta!: EnvelopeMetaDto;
}
