import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { privateOwnerOf } from '#domain/ownership/private-owner.js';
import { requireClearIds } from '#domain/privacy/require-clear-ids.js';
import type { Actor } from '#domain/recorded-event.js';
import { laterOf } from '#read-model/later-of.js';
import { ThreadQueries } from '#projections/threads/queries.js';
import { RequestClaims } from '../claims/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import { LogEnd } from '../platform/log-end.js';
import type { ThreadStore } from '../platform/stores.js';
import { THREAD_STORE } from '../platform/tokens.js';
import type { ThreadDeletedDto } from './dto/thread-view.dto.js';

export class DeleteThread extends Command<Answer<ThreadDeletedDto>> {
  constructor(
    readonly actor: Actor,
    readonly threadId: string,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/**
 * Hides all checkpoints and writes of the caller's thread, in each of its namespaces. The log keeps them: erasure for
 * good takes the council (SPEC G6). Each namespace is a stream of its own; if the service dies between two of them,
 * the request has no answer, and the same request again hides the rest.
 */
@CommandHandler(DeleteThread)
export class DeleteThreadHandler implements ICommandHandler<DeleteThread> {
  constructor(
    @Inject(THREAD_STORE) private readonly store: ThreadStore,
    private readonly threads: ThreadQueries,
    private readonly logEnd: LogEnd,
    private readonly claims: RequestClaims,
  ) {}

  async execute({ actor, threadId, identity }: DeleteThread): Promise<Answer<ThreadDeletedDto>> {
    requireClearIds(threadId);
    const owner = privateOwnerOf(actor);
    const streams = await this.logEnd.readUpToDate(['threads'], () =>
      this.threads.streamsOf(owner, threadId),
    );
    const [first] = streams;
    if (first !== undefined) await this.claims.streamFor(identity, first);
    let position: bigint | undefined;
    let namespaces = 0;
    for (const stream of streams) {
      const data = { at: identity.received_at };
      const deleted = await this.store.execute(stream, [{ type: 'delete', data }], identity);
      position = laterOf(position, deleted.position);
      namespaces += deleted.results[0] === null ? 0 : 1;
    }
    return Answer.written({ namespaces }, position);
  }
}
