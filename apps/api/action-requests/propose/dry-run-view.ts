import { ApiSchema } from '@nestjs/swagger';
import type { ConsentStanding, RecheckFinding } from '#domain/action-request/recheck.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  many,
  one,
  oneOf,
  orNull,
} from '../../platform/http/answer-fields.js';
import { RiskDto } from '../action-request-view.js';
import { RecheckDto } from '../recheck/recheck-view.js';

const CONSENTS = [
  ...([
    'not_needed',
    'covered',
    'missing',
    'revoked',
  ] as const satisfies readonly ConsentStanding[]),
  'unknown',
] as const;

@ApiSchema({ description: 'What would become of a proposal now. It is not made.' })
export class DryRunDto {
  @ApiField({ type: 'boolean', enum: [true] }) readonly dry_run!: true;
  @ApiField(one(RiskDto)) readonly risk!: RiskDto;

  @ApiField(orNull(FLAG), {
    description:
      'Whether its approval would be refused, or would change nothing; null if that depends on a consent that is unknown.',
  })
  readonly would_be_refused!: boolean | null;

  @ApiField(many(RecheckDto), {
    description: 'What would refuse the approval, and whether the key has the value already.',
  })
  readonly recheck!: readonly RecheckFinding[];

  @ApiField(oneOf(...CONSENTS), {
    description:
      'Whether a consent covers the personal data in the value; `unknown` if it is about a user for whom the token is not.',
  })
  readonly consent!: (typeof CONSENTS)[number];

  @ApiField(INSTANT, {
    optional: true,
    description: 'For an erasure whose retention period is not over: when it is.',
  })
  readonly executable_from?: string;
}
