import { ApiSchema } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '#domain/errors/error-table.js';
import {
  INSTANT,
  list,
  many,
  one,
  oneOf,
  orNull,
  ApiField,
  TEXT,
  WHOLE,
} from '../http/answer-fields.js';

@ApiSchema({ description: 'A wrong field of the request.' })
export class FieldHelpDto {
  @ApiField(TEXT, { description: 'The path of the field, such as `commands.1.count`.' })
  readonly field!: string;

  @ApiField(TEXT, { description: 'The rule that the field breaks.' })
  readonly problem!: string;

  @ApiField(TEXT, {
    optional: true,
    description: 'The known name that is most like an unknown one.',
  })
  readonly nearest?: string;

  @ApiField(oneOf('path', 'query', 'body'), {
    optional: true,
    description: 'The part of the request to which the field belongs, if it stood in another.',
  })
  readonly place?: 'path' | 'query' | 'body';
}

@ApiSchema({ description: 'How the request can be put right.' })
export class ErrorHelpDto {
  @ApiField(many(FieldHelpDto), {
    optional: true,
    description: 'The wrong fields, at most 20.',
  })
  readonly fields?: readonly FieldHelpDto[];

  @ApiField(list(TEXT), {
    optional: true,
    description: 'The roles that may send the request, if the caller has none of them.',
  })
  readonly roles?: readonly string[];

  @ApiField(TEXT, {
    optional: true,
    description: 'What to do instead: a sentence, or a method with a path.',
  })
  readonly instead?: string;
}

export class EnvelopeMetaDto {
  @ApiField(orNull(TEXT)) readonly query_id!: string | null;
  @ApiField(INSTANT) readonly timestamp!: string;

  @ApiField(TEXT, { description: 'The request’s id in the service’s logs.' })
  readonly trace_id!: string;

  @ApiField(one(ErrorHelpDto), { optional: true }) readonly help?: ErrorHelpDto;
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
