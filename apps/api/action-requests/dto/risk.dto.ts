import { ApiSchema } from '@nestjs/swagger';
import {
  RISK_LEVELS,
  type RiskLevel,
  RISK_REASON_CODES,
  type RiskReason,
} from '#domain/action-request/risk-reasons.js';
import { ApiField, list, oneOf } from '../../platform/http/answer-fields.js';

@ApiSchema({ description: 'How careful the review of a request has to be, and why.' })
export class RiskDto {
  @ApiField(oneOf(...RISK_LEVELS)) readonly level!: RiskLevel;

  @ApiField(list(oneOf(...RISK_REASON_CODES)), {
    description: 'The level is the highest that one of the reasons gives; without any it is low.',
  })
  readonly reasons!: readonly RiskReason[];
}
