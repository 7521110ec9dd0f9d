import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { becauseOf, KEEPING_RULES } from '#domain/memories/kept-sentences.js';
import { MAX_TEXT } from '#domain/memories/limits.js';
import { isBlank } from '#domain/memories/recalled-text.js';
import { noSuchMemory } from '#domain/memories/memories.decider.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { MemoriesQueries } from '#projections/memories/queries.js';
import { Answer } from '../platform/http/answer.js';
import { EventNumber, Text } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { MemoriesStore } from '../platform/stores.js';
import { MEMORIES_STORE } from '../platform/tokens.js';
import { MemoriesAccess } from './memories-access.js';
import { MemoryId, Person, Tags } from './memory-fields.js';
import { RewordedDto } from './memory-view.js';
import { SealedMemories } from './sealed-memories.js';

@Describes({
  summary: 'Give a memory another text; its id stays, and its version grows',
  roles: { own: ['agent', 'user'], of: 'user' },
  answers: [200, RewordedDto],
  example: { text: 'Is allergic to peanuts and cashews', user_id: 'ada' },
  fails: ['NOT_FOUND', 'VERSION_CONFLICT', 'PRIVACY_BLOCKED'],
  reads: ['memories'],
})
export class RewordMemory extends WriteRequest<RewordedDto> {
  @MemoryId() memory_id!: string;

  @Text({ min: 1, max: MAX_TEXT, description: 'The new text.' })
  text!: string;

  @EventNumber({
    optional: true,
    description: 'Fails with VERSION_CONFLICT if the memory has another version.',
  })
  if_version?: number;

  @Tags('The tags from now on; default: the present ones.') tags?: string[];
  @Person() user_id?: string;
}

@CommandHandler(RewordMemory)
export class RewordMemoryHandler implements ICommandHandler<RewordMemory> {
  constructor(
    @Inject(MEMORIES_STORE) private readonly memories: MemoriesStore,
    private readonly access: MemoriesAccess,
    private readonly sealed: SealedMemories,
    private readonly claims: RequestClaims,
    private readonly queries: MemoriesQueries,
  ) {}

  async execute(asked: RewordMemory): Promise<Answer<RewordedDto>> {
    const { actor, identity, memory_id, text, if_version } = asked;
    if (isBlank(text)) throw new Refusal('INVALID_INPUT', { reason: 'text: has nothing to see' });
    const owner = this.access.actingFor(actor, asked.user_id);
    const own = await this.access.streamOf(owner, 'read');
    // A person of whom nothing is remembered gets no key.
    if ((await this.memories.load(own)).state.owner === null) throw noSuchMemory(memory_id);
    const tags = asked.tags ?? (await this.tagsOf(memory_id, owner));
    const found = await this.sealed.inspect({ text, tags });
    const words = await this.sealed.seal(owner, { text, tags }, found);
    const stream = await this.claims.streamFor(identity, own);
    const because = becauseOf(text);
    const kept = because === null ? null : { rules: KEEPING_RULES, because };
    const at = identity.received_at;
    const command = { type: 'reword', memory_id, ...words, kept, at } as const;
    const written = await this.memories.execute(
      stream,
      (_state, isAgain) => [
        if_version === undefined || isAgain ? command : { ...command, if_version },
      ],
      identity,
    );
    const { version } = onlyAnswer(written);
    return Answer.written({ id: memory_id, version, text }, written.position);
  }

  private async tagsOf(memory_id: string, owner: string): Promise<readonly string[]> {
    const row = await this.queries.version(memory_id, owner);
    return (row && (await this.sealed.opened(row)))?.tags ?? [];
  }
}
