import type { JsonObject } from '#domain/json.js';
import { MAX_QUERY_CHARACTERS } from '#domain/query/limits.js';
import { AnyObject, IdText, SeedText, Text } from '../../platform/http/fields.js';

export class AskQueryDto {
  @Text({ min: 1, max: MAX_QUERY_CHARACTERS })
  query_text!: string;

  @Text({ optional: true, min: 1, max: 256 })
  user_id?: string;

  @SeedText({ optional: true })
  job_seed?: string;

  @IdText({
    optional: true,
    description: 'The log_id of an earlier answer, to confirm it (SPEC A1).',
  })
  confirm?: string;

  @AnyObject({ optional: true, description: 'At most 4 KB; no rule of Stage-0 reads them.' })
  context_tags?: JsonObject;

  @AnyObject({ optional: true, description: 'Overrides of the constants of SPEC J1.' })
  constants?: JsonObject;
}
