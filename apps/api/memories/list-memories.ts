import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { permit } from '#domain/errors/permit.js';
import type { Json, JsonObject } from '#domain/json.js';
import { isPosition } from '#domain/position.js';
import { MemoriesQueries, type MemoryPlace, NOW } from '#projections/memories/queries.js';
import { Moments } from '../moments/moments.js';
import { readersOf } from '../platform/auth/roles.js';
import { cursorOf, isTexts, placeOf } from '../platform/http/cursor.js';
import { Answer } from '../platform/http/answer.js';
import { At, Text, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { MemoriesAccess } from './memories-access.js';
import { Person } from './memory-fields.js';
import { RememberedPageDto } from './memory-view.js';
import { SealedMemories } from './sealed-memories.js';

const DEFAULT_PAGE = 100;

@Describes({
  summary: 'The memories of a person, newest first',
  roles: readersOf('user'),
  example: { user_id: 'ada' },
  answers: [200, RememberedPageDto],
  reads: ['memories'],
})
export class ListMemories extends ReadRequest<Answer<RememberedPageDto>> {
  @Person() user_id?: string;

  @Text({ optional: true, min: 1, max: 64, description: 'Only memories with this tag.' })
  tag?: string;

  @At() at?: string;

  @Whole({ optional: true, min: 1, max: 500, description: 'The memories in a page; default: 100.' })
  limit?: number;

  @Text({ optional: true, max: 400, description: 'The next_cursor of the previous page.' })
  cursor?: string;
}

@QueryHandler(ListMemories)
export class ListMemoriesHandler implements IQueryHandler<ListMemories> {
  constructor(
    private readonly memories: MemoriesQueries,
    private readonly access: MemoriesAccess,
    private readonly sealed: SealedMemories,
    private readonly moments: Moments,
  ) {}

  async execute(asked: ListMemories): Promise<Answer<RememberedPageDto>> {
    const { actor, user_id, tag, limit = DEFAULT_PAGE, cursor } = asked;
    const after = cursor === undefined ? undefined : placeOf(cursor, isPlace);
    const { owner, mayOpen } = this.access.read(actor, user_id);
    permit(mayOpen || tag === undefined, 'choose by the tags of another person', 'I9');
    const asOf = await this.moments.positionAt(asked.at, 'memories');
    const kid = await this.sealed.kidOf(owner);
    if (kid === undefined) return Answer.asOf({ memories: [], next_cursor: null }, asOf);
    const tags = await this.sealed.tagsOf(owner, tag === undefined ? undefined : [tag]);
    // A list at a position must not depend on the clock of today.
    const at = asOf === undefined ? new Date().toISOString() : '';
    const rows = await this.memories.newest({ kid, at }, asOf ?? NOW, tags, limit + 1, after);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const isLast = rows.length <= limit || last === undefined;
    const next_cursor = isLast
      ? null
      : cursorOf({ updated_at: last.updated_at, appeared: last.appeared });
    return Answer.asOf({ memories: await this.sealed.shown(page, mayOpen), next_cursor }, asOf);
  }
}

function isPlace(value: Json): value is MemoryPlace & JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { updated_at = null, appeared = null } = value as JsonObject;
  return isTexts([updated_at, appeared]) && isPosition(appeared as string);
}
