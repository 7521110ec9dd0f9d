import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Answer } from '../platform/http/answer.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { MemoriesStore } from '../platform/stores.js';
import { MEMORIES_STORE } from '../platform/tokens.js';
import { MemoriesAccess } from './memories-access.js';
import { MemoryId, Person } from './memory-fields.js';
import { ForgottenDto } from './memory-view.js';

const NOTE =
  'No list and no recall shows it from now on; a recall at an earlier position still does. Its sealed text stays in the log until an erasure of the person destroys the key.';

@Describes({
  summary: 'Forget a memory: no recall and no list shows it any more',
  description: 'Only an erasure of the person destroys what the log has of it.',
  roles: { own: ['agent', 'user'], of: 'user' },
  example: { user_id: 'ada' },
  answers: [200, ForgottenDto],
  fails: ['NOT_FOUND'],
})
export class ForgetMemory extends WriteRequest<ForgottenDto> {
  @MemoryId() memory_id!: string;
  @Person() user_id?: string;
}

@CommandHandler(ForgetMemory)
export class ForgetMemoryHandler implements ICommandHandler<ForgetMemory> {
  constructor(
    @Inject(MEMORIES_STORE) private readonly memories: MemoriesStore,
    private readonly access: MemoriesAccess,
    private readonly claims: RequestClaims,
  ) {}

  async execute(asked: ForgetMemory): Promise<Answer<ForgottenDto>> {
    const { actor, identity, memory_id } = asked;
    const owner = this.access.actingFor(actor, asked.user_id);
    const own = await this.access.streamOf(owner, 'read');
    const isKnown = (await this.memories.load(own)).state.owner !== null;
    const stream = isKnown ? await this.claims.streamFor(identity, own) : own;
    const command = { type: 'hide', memory_id, at: identity.received_at } as const;
    const { position } = await this.memories.execute(stream, [command], identity);
    return Answer.written({ id: memory_id, note: NOTE }, position);
  }
}
