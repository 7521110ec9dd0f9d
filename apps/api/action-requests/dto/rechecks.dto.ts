import { ApiSchema } from '@nestjs/swagger';
import type { RecheckFinding } from '#domain/action-request/recheck.js';
import { ApiField, FLAG, many, orNull, TEXT } from '../../platform/http/answer-fields.js';
import { RecheckDto } from './dossier.dto.js';

@ApiSchema({ description: 'What a request has come to while it waits.' })
export class RecheckedRequestDto {
  @ApiField(TEXT) readonly request_id!: string;

  @ApiField(FLAG, {
    description: 'Whether its approval would be refused now, or would change nothing.',
  })
  readonly would_be_refused!: boolean;

  @ApiField(orNull(many(RecheckDto)), {
    description:
      'What has changed since the proposal, and what would refuse the approval now; null for a request that does not exist or does not wait.',
  })
  readonly recheck!: readonly RecheckFinding[] | null;
}

export class RechecksDto {
  @ApiField(many(RecheckedRequestDto), { description: 'In the order of the ids.' })
  readonly results!: readonly RecheckedRequestDto[];
}
