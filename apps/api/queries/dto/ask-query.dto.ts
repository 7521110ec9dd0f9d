import type { JsonObject } from '#domain/json.js';
import { MAX_QUERY_CHARACTERS } from '#domain/query/limits.js';
import { AnyObject, IdText, SeedText, Text, UserIdText } from '../../platform/http/fields.js';

export class AskQueryDto {
  @Text({
    min: 1,
    max: MAX_QUERY_CHARACTERS,
    description: 'A text that the privacy gate flags is refused with PRIVACY_BLOCKED.',
  })
  query_text!: string;

  @UserIdText({
    optional: true,
    description: 'The user who asks; only an agent whose token names no user may set it.',
  })
  user_id?: string;

  @SeedText({
    optional: true,
    description:
      'The seed of the query’s job; a used seed is refused with JOB_EXISTS. Default: a new UUIDv7.',
  })
  job_seed?: string;

  @IdText({
    optional: true,
    description:
      'The `log_id` of an earlier answer: stores the fact that it proposed, if the token is the user’s own, or requests a review (SPEC A1, S4).',
  })
  confirm?: string;

  @AnyObject({ optional: true, description: 'At most 4 KB; no routing rule reads them.' })
  context_tags?: JsonObject;

  @AnyObject({
    optional: true,
    description:
      'Overrides for the constants of SPEC J1, such as `agent_timeout_ms` in milliseconds.',
  })
  constants?: JsonObject;
}
