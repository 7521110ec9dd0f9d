import { SPACES, type Space } from '#domain/memory-contract/item.js';
import { EventNumber, OneOf, Text, Whole, UserIdText } from '../../platform/http/fields.js';

export class StorePath {
  @OneOf(SPACES)
  space!: Space;

  @Text({ min: 1, max: 256, description: 'The owner, as in an item’s `meta.owner`.' })
  owner!: string;
}

export class StoresQuery {
  @OneOf(SPACES, { optional: true, description: 'Default: all spaces.' })
  space?: Space;

  @Text({
    optional: true,
    max: 256,
    description: 'The beginning of the owner’s name; only together with a space.',
  })
  prefix?: string;

  @UserIdText({
    optional: true,
    description:
      'The user that an agent’s token without a user acts for (SPEC I9); it may also be the prefix. Without one, no user’s store is listed.',
  })
  user_id?: string;

  @Text({ optional: true, max: 512, description: 'The next_cursor of the page before.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 200, description: 'The stores in a page; default: 50.' })
  limit?: number;
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
