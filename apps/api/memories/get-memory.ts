import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { noSuchMemory } from '#domain/memories/memories.decider.js';
import { MemoriesQueries } from '#projections/memories/queries.js';
import { readersOf } from '../platform/auth/roles.js';
import { EventNumber } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { ReadBy, type ReadContext, Unredacted } from '../privacy/read-context.decorator.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { MemoriesAccess } from './memories-access.js';
import { MemoryId, Person } from './memory-fields.js';
import { RememberedDto } from './memory-view.js';
import { SealedMemories } from './sealed-memories.js';

@Describes({
  summary: 'One memory, as it is now or as it was worded before',
  roles: readersOf('user'),
  answers: [200, RememberedDto],
  fails: ['NOT_FOUND'],
  reads: ['memories'],
})
export class GetMemory extends ReadRequest<RememberedDto> {
  @MemoryId() memory_id!: string;
  @Person() user_id?: string;

  @EventNumber({ optional: true, description: 'An earlier wording; default: the current one.' })
  version?: number;

  @Unredacted() unredacted?: 'true';
  @ReadBy() context!: ReadContext;
}

@QueryHandler(GetMemory)
export class GetMemoryHandler implements IQueryHandler<GetMemory> {
  constructor(
    private readonly memories: MemoriesQueries,
    private readonly access: MemoriesAccess,
    private readonly sealed: SealedMemories,
    private readonly unredacted: UnredactedReads,
  ) {}

  async execute(asked: GetMemory): Promise<RememberedDto> {
    const { actor, memory_id, user_id, version, context } = asked;
    const { owner, mayOpen } = this.access.read(actor, user_id);
    const last = await this.memories.version(memory_id, owner);
    const isThere =
      last?.died === null &&
      (last.expires_at === null || last.expires_at > new Date().toISOString());
    const row =
      version === undefined ? last : await this.memories.version(memory_id, owner, version);
    if (!isThere || row === undefined) throw noSuchMemory(memory_id);
    const read = { stream: row.stream, version: row.version };
    const isAllowed = await this.unredacted.allow(actor, asked.unredacted, read, context);
    const shown = await this.sealed.one(row, mayOpen || isAllowed);
    if (shown === undefined) throw noSuchMemory(memory_id);
    return shown;
  }
}
