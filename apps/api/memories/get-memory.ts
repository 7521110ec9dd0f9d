import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { noSuchMemory } from '#domain/memories/memories.decider.js';
import { MemoriesQueries } from '#projections/memories/queries.js';
import type { MemoryRow } from '#projections/memories/memories.projection.js';
import { Moments, requireOne } from '../moments/moments.js';
import { readersOf } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { At, EventNumber } from '../platform/http/fields.js';
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
export class GetMemory extends ReadRequest<Answer<RememberedDto>> {
  @MemoryId() memory_id!: string;
  @Person() user_id?: string;

  @EventNumber({ optional: true, description: 'An earlier wording; default: the current one.' })
  version?: number;

  @At('version') at?: string;

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
    private readonly moments: Moments,
  ) {}

  async execute(asked: GetMemory): Promise<Answer<RememberedDto>> {
    const { actor, memory_id, user_id, context } = asked;
    requireOne({ version: asked.version, at: asked.at });
    const { owner, mayOpen } = this.access.read(actor, user_id);
    const asOf = await this.moments.positionAt(asked.at, 'memories');
    const row = await this.row(asked, owner, asOf);
    if (row === undefined) throw noSuchMemory(memory_id);
    const read = { stream: row.stream, version: row.version };
    const isAllowed = await this.unredacted.allow(actor, asked.unredacted, read, context);
    const shown = await this.sealed.one(row, mayOpen || isAllowed);
    if (shown === undefined) throw noSuchMemory(memory_id);
    return Answer.asOf(shown, asOf);
  }

  /** Returns the memory that is asked for: at a position, or at a version as long as the memory is there. */
  private async row(
    { memory_id, version }: GetMemory,
    owner: string,
    asOf: bigint | undefined,
  ): Promise<MemoryRow | undefined> {
    if (asOf !== undefined) return this.memories.versionAt(memory_id, owner, asOf);
    const last = await this.memories.version(memory_id, owner);
    const isThere =
      last?.died === null &&
      (last.expires_at === null || last.expires_at > new Date().toISOString());
    if (!isThere) return undefined;
    return version === undefined ? last : this.memories.version(memory_id, owner, version);
  }
}
