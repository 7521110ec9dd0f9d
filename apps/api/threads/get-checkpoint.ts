import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { checkpointIn } from '#domain/thread/entries.js';
import {
  type CheckpointParts,
  initialThread,
  partsOf,
  type ThreadState,
} from '#domain/thread/state.js';
import { Moments } from '../moments/moments.js';
import { stateAtVersion } from '../platform/state-at-version.js';
import type { ThreadStore } from '../platform/stores.js';
import { THREAD_STORE } from '../platform/tokens.js';
import { ReadBy, type ReadContext, Unredacted } from '../privacy/read-context.decorator.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { CheckpointReads } from './checkpoint-reads.js';
import { CheckpointDto } from './thread-view.js';
import { ThreadAccess } from './thread-access.js';
import { readersOf } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { At, EventNumber } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { Id, Namespace, ThreadId, ThreadOwner } from './thread-fields.js';

@Describes({
  summary: 'A checkpoint with its pending writes, now or at a version',
  roles: readersOf('thread'),
  answers: [200, CheckpointDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED', 'INTEGRITY_FAILURE'],
})
export class GetCheckpoint extends ReadRequest<Answer<CheckpointDto>> {
  @ThreadId() thread_id!: string;
  @Namespace() namespace?: string;

  @Id({ optional: true, description: 'Default: the one whose id was put first after all others.' })
  checkpoint_id?: string;

  @EventNumber({
    optional: true,
    description: 'The thread after so many events; default: as it is now.',
  })
  version?: number;

  @At('version') at?: string;

  @ThreadOwner() owner?: string;
  @Unredacted() unredacted?: 'true';
  @ReadBy() context!: ReadContext;
}

@QueryHandler(GetCheckpoint)
export class GetCheckpointHandler implements IQueryHandler<GetCheckpoint> {
  constructor(
    @Inject(THREAD_STORE) private readonly store: ThreadStore,
    private readonly access: ThreadAccess,
    private readonly reads: CheckpointReads,
    private readonly unredacted: UnredactedReads,
    private readonly moments: Moments,
  ) {}

  async execute(asked: GetCheckpoint): Promise<Answer<CheckpointDto>> {
    const { actor, context, thread_id, namespace = '', checkpoint_id, unredacted } = asked;
    const { owner, isOwn } = this.access.readable(actor, asked.owner);
    const stream = await this.access.streamOf(owner, thread_id, namespace);
    const { version, asOf } = await this.moments.versionAt(stream, asked);
    const read = { stream, version: version === undefined ? undefined : version - 1 };
    const isAllowed = await this.unredacted.allow(actor, unredacted, read, context);
    const state = await stateAtVersion(this.store, stream, version, initialThread());
    const parts = partsIn(state, checkpoint_id);
    if (state.thread === undefined || parts === undefined)
      // An id may be a person's name (SPEC P6).
      throw new Refusal('NOT_FOUND', { what: 'checkpoint', id: `of ${stream}` });
    const { thread } = state;
    const [view] = await this.reads.views({ stream, thread }, [parts], isOwn || isAllowed);
    return Answer.asOf(view!, asOf);
  }
}

function partsIn(
  { last, latest }: ThreadState,
  id: string | undefined,
): CheckpointParts | undefined {
  if (id === undefined || id === latest?.checkpoint_id) return latest;
  const checkpoint = checkpointIn(last, id);
  return checkpoint && partsOf(last, checkpoint);
}
