import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { privateOwnerOf } from '#domain/ownership/private-owner.js';
import type { EventStore } from '#event-store/event-store.js';
import { laterOf } from '#read-model/later-of.js';
import { ThreadQueries } from '#projections/threads/queries.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import { lastBefore } from '../platform/last-before.js';
import { LogEnd } from '../platform/log-end.js';
import type { ThreadStore } from '../platform/stores.js';
import { EVENT_STORE, THREAD_STORE } from '../platform/tokens.js';
import { ThreadDeletedDto } from './thread-view.js';
import { ThreadAccess } from './thread-access.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { ThreadId } from './thread-fields.js';

@Describes({
  summary: 'Hide the caller’s thread in all its namespaces; the log keeps it',
  roles: { own: ['agent', 'user'], of: 'thread' },
  answers: [200, ThreadDeletedDto],
  fails: ['PRIVACY_BLOCKED'],
  reads: ['threads'],
})
export class DeleteThread extends WriteRequest<ThreadDeletedDto> {
  @ThreadId() thread_id!: string;
}

/**
 * Hides all checkpoints and writes of the caller's thread, in each of its namespaces. The log keeps them: erasure for
 * good takes the council (SPEC G6). Each namespace is a stream of its own; if the service dies between two of them,
 * the request has no answer, and the same request again hides the rest. A request with an Idempotency-Key hides what
 * the log had before its claim, so its retry keeps what was written since (SPEC I7).
 */
@CommandHandler(DeleteThread)
export class DeleteThreadHandler implements ICommandHandler<DeleteThread> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(THREAD_STORE) private readonly store: ThreadStore,
    private readonly access: ThreadAccess,
    private readonly threads: ThreadQueries,
    private readonly logEnd: LogEnd,
    private readonly claims: RequestClaims,
  ) {}

  async execute({ actor, thread_id, identity }: DeleteThread): Promise<Answer<ThreadDeletedDto>> {
    const owner = privateOwnerOf(actor);
    const target = await this.access.streamOf(owner, thread_id, '');
    const claimed = await this.claims.positionOf(identity, target);
    const streams = await this.logEnd.readUpToDate(['threads'], () =>
      this.threads.streamsOf(owner, thread_id),
    );
    let position: bigint | undefined;
    let namespaces = 0;
    for (const stream of streams) {
      const data = { up_to: await this.lastBefore(claimed, stream), at: identity.received_at };
      const deleted = await this.store.execute(stream, [{ type: 'delete', data }], identity);
      position = laterOf(position, deleted.position);
      namespaces += deleted.results[0] === null ? 0 : 1;
    }
    return Answer.written({ namespaces }, position);
  }

  /** Returns the number of a stream's last event before the claim, or of its last event without one; -1 if there is none. */
  private async lastBefore(claimed: bigint | undefined, stream: string): Promise<number> {
    const { version, position = 0n } = await this.store.load(stream);
    if (claimed === undefined || position < claimed) return version;
    return lastBefore(this.eventStore, stream, claimed);
  }
}
