import { IdText, OneOf, PositionText, Text, Whole } from '../../platform/http/fields.js';

export const COLLISION_STATUSES = ['open', 'closed'] as const;

export class CollisionPath {
  @IdText()
  id!: string;
}

export class CollisionsQuery {
  @OneOf(COLLISION_STATUSES, { optional: true, description: '`open` by default.' })
  status?: (typeof COLLISION_STATUSES)[number];

  @PositionText({ optional: true, description: 'The next_cursor of the previous page.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 })
  limit?: number;
}

export class ClosureDto {
  @Text({ min: 1, max: 8_000, description: 'At most 4,000 characters.' })
  reason!: string;
}
