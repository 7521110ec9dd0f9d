import { ApiSchema } from '@nestjs/swagger';
import { PersonDto } from '../../action-requests/dto/action-request-view.dto.js';
import { ApiField, INSTANT, many, one, orNull, TEXT } from '../../platform/http/answer-fields.js';

/** How a reviewer closed a collision. */
@ApiSchema({ description: 'How a reviewer closed a collision.' })
export class CollisionClosureDto {
  @ApiField(TEXT) readonly reason!: string;
  @ApiField(one(PersonDto)) readonly closed_by!: PersonDto;
  @ApiField(INSTANT) readonly closed_at!: string;
}

/** Two titles that generate the same key (SPEC K4). */
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
