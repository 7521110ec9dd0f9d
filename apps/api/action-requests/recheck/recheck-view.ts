import { ApiSchema } from '@nestjs/swagger';
import { RECHECK_CODES, type RecheckCode } from '#domain/action-request/recheck.js';
import { ApiField, list, oneOf, TEXT, WHOLE } from '../../platform/http/answer-fields.js';

@ApiSchema({ description: 'What has changed while a request waits, or what would refuse it now.' })
export class RecheckDto {
  @ApiField(oneOf(...RECHECK_CODES)) readonly code!: RecheckCode;
  @ApiField(TEXT) readonly text!: string;

  @ApiField(list(WHOLE), {
    optional: true,
    description: 'The entries of the evidence that it is about, from 0.',
  })
  readonly evidence?: readonly number[];
}
