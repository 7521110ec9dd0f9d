import type { Json, JsonObject } from '#domain/json.js';
import { UnredactedQuery } from '../../privacy/dto/unredacted.dto.js';
import {
  AnyJson,
  AnyObject,
  EventNumber,
  Instant,
  SeedText,
  Text,
  Whole,
  UserIdText,
} from '../../platform/http/fields.js';

const component = { min: 1, max: 256 };

export class FactPath {
  @Text(component)
  scope!: string;

  @Text(component)
  entity_type!: string;

  @Text(component)
  entity_id!: string;

  @Text(component)
  attribute!: string;
}

export class GetFactQuery extends UnredactedQuery {
  @Text({
    optional: true,
    pattern: /^sem:[0-9a-f]{64}$/,
    max: 68,
    description: '`sem:<hash>`, as pinned by a job.',
  })
  snapshot_id?: string;

  @EventNumber({
    optional: true,
    description: 'The number of an event of the fact’s stream (SPEC X3).',
  })
  version?: number;

  @SeedText({
    optional: true,
    description: 'Reads at that job’s snapshot and records the read in the job (SPEC J10).',
  })
  job_seed?: string;
}

export class PutFactDto {
  @AnyJson({ description: 'At most 16 KB as canonical JSON.' })
  value!: Json;

  @Instant({
    optional: true,
    description: 'The put with the latest timestamp wins. Default: the service’s clock.',
  })
  timestamp?: string;

  @Text({
    optional: true,
    max: 256,
    description: 'If sent, it must equal the source that the token gives.',
  })
  source?: string;

  @Text({ optional: true, max: 1_024, description: 'At most 512 characters.' })
  notes?: string;

  @AnyObject({
    optional: true,
    description: 'Metadata of the fact, such as trust and provenance_id.',
  })
  meta?: JsonObject;

  @Text({ optional: true, max: 255, description: 'Equivalent to the header Idempotency-Key.' })
  idempotency_token?: string;
}

export class DeleteFactQuery {
  @Instant({ optional: true })
  timestamp?: string;
}

export class SearchFactsQuery {
  @Text({
    optional: true,
    max: 256,
    description:
      'The beginning of the keys. To an agent’s token without a user, one that begins with `user/<entity_type>/<entity_id>` names the user.',
  })
  prefix?: string;

  @UserIdText({
    optional: true,
    description:
      'The user that an agent’s token without a user acts for (SPEC I9). Without one, it lists no user’s facts.',
  })
  user_id?: string;

  @Text({ optional: true, max: 512 })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 1_000 })
  limit?: number;
}

export class SnapshotPath {
  @Text({ pattern: /^sem:[0-9a-f]{64}$/, max: 68 })
  id!: string;
}
