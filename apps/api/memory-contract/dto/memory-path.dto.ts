import { SPACES, type Space } from '#domain/memory-contract/item.js';
import { EventNumber, OneOf, Text, Whole } from '../../platform/http/fields.js';

export class StorePath {
  @OneOf(SPACES)
  space!: Space;

  @Text({ min: 1, max: 256, description: 'The owner, as in an item’s `meta.owner`.' })
  owner!: string;
}

export class StoreQuery {
  @Whole({ optional: true, min: 0, max: Number.MAX_SAFE_INTEGER })
  tick?: number;
}

export class PhaseDiffQuery {
  @Text({ min: 1, max: 64 })
  from!: string;

  @Text({ min: 1, max: 64 })
  to!: string;
}

export class TracesQuery {
  @EventNumber({ optional: true, description: 'The number of the first event.' })
  from?: number;

  @Whole({ optional: true, min: 1, max: 500 })
  limit?: number;

  @OneOf(['json', 'plain'], { optional: true })
  format?: 'json' | 'plain';
}
