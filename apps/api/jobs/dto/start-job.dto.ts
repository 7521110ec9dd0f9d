import { SEED_PATTERN } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import { AnyObject, Instant, Text } from '../../platform/http/fields.js';

export class StartJobDto {
  @Text({ optional: true, min: 1, max: 128, pattern: SEED_PATTERN })
  job_seed?: string;

  @Text({ optional: true, min: 1, max: 128, pattern: SEED_PATTERN })
  session_id?: string;

  @Text({ optional: true, min: 1, max: 256 })
  user_id?: string;

  @Instant({ optional: true, description: 'Replaces the base of the seeded time (SPEC I3).' })
  seeded_epoch?: string;

  @Text({ optional: true, max: 16_000 })
  goal?: string;

  @AnyObject({ optional: true, description: 'Overrides of the constants of SPEC J1.' })
  constants?: JsonObject;
}
