import type { JsonObject } from '#domain/json.js';
import { AnyObject, Instant, SeedText, Text, UserIdText } from '../../platform/http/fields.js';

export class StartJobDto {
  @SeedText({ optional: true, description: 'Default: a UUIDv7 that the service makes.' })
  job_seed?: string;

  @SeedText({
    optional: true,
    description: 'The job starts with the CWM of the session’s last ended job.',
  })
  session_id?: string;

  @UserIdText({ optional: true })
  user_id?: string;

  @Instant({ optional: true, description: 'Replaces the base of the seeded time (SPEC I3).' })
  seeded_epoch?: string;

  @Text({ optional: true, max: 16_000 })
  goal?: string;

  @AnyObject({
    optional: true,
    description: 'Overrides for the constants of SPEC J1, such as `{"promotion_references": 3}`.',
  })
  constants?: JsonObject;
}
