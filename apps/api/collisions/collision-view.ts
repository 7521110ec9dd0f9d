import { Inject, Injectable } from '@nestjs/common';
import { semStream } from '#domain/stream-names.js';
import type { StoredCollision } from '#projections/collisions/collisions.projection.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';
import { ApiSchema } from '@nestjs/swagger';
import { PersonDto } from '../action-requests/action-request-view.js';
import { ApiField, INSTANT, many, one, orNull, TEXT } from '../platform/http/answer-fields.js';

@ApiSchema({ description: 'How a reviewer closed a collision.' })
export class CollisionClosureDto {
  @ApiField(TEXT) readonly reason!: string;
  @ApiField(one(PersonDto)) readonly closed_by!: PersonDto;
  @ApiField(INSTANT) readonly closed_at!: string;
}

@ApiSchema({ description: 'Two titles that generate the same key.' })
export class CollisionDto {
  @ApiField(TEXT) readonly collision_id!: string;

  @ApiField(TEXT, { description: 'The key that both titles generate.' })
  readonly key!: string;

  @ApiField(TEXT, { description: 'The first title, which owns that key.' })
  readonly owner_title!: string;

  @ApiField(TEXT, { description: 'The second title.' })
  readonly title!: string;

  @ApiField(TEXT, { description: 'The key that the second title got.' })
  readonly given_key!: string;

  @ApiField(INSTANT) readonly found_at!: string;
  @ApiField(orNull(one(CollisionClosureDto))) readonly closure!: CollisionClosureDto | null;
}

export class CollisionsPageDto {
  @ApiField(many(CollisionDto), { description: 'Oldest first.' })
  readonly collisions!: readonly CollisionDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

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
