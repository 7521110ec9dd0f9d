import { Inject, Injectable } from '@nestjs/common';
import { semStream } from '#domain/stream-names.js';
import type { StoredCollision } from '#projections/collisions/collisions.projection.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';
import type { CollisionDto } from './dto/collision-view.dto.js';

/** Makes the view of a collision, with the title that owns the contested key. */
@Injectable()
export class CollisionViews {
  constructor(@Inject(SEM_STORE) private readonly facts: SemStore) {}

  async of(row: StoredCollision, closure = closureOf(row)): Promise<CollisionDto> {
    const { collision_id, contested_key: key, title, given_key, found_at } = row;
    const { claims } = (await this.facts.load(semStream(key))).state;
    const owner_title = [...claims].find(([, owned]) => owned === key)?.[0] ?? '';
    return { collision_id, key, owner_title, title, given_key, found_at, closure };
  }
}

function closureOf(row: StoredCollision): CollisionDto['closure'] {
  const { reason, closed_at, closed_by_sub: sub, closed_by_user_id: user_id } = row;
  if (reason === null || closed_at === null || sub === null) return null;
  return { reason, closed_by: { sub, user_id }, closed_at };
}
