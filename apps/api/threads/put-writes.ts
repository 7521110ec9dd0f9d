import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { againDigest, isSameRequest, writesIn } from '#domain/thread/entries.js';
import type { WritesPut } from '#domain/thread/events.js';
import { requireComposed } from '#domain/unicode-form.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { ThreadStore } from '../platform/stores.js';
import { THREAD_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { SealedWrites } from '../privacy/sealed-writes.js';
import { ThreadChangedDto } from './thread-view.js';
import { type OwnThread, ThreadAccess } from './thread-access.js';
import { ThreadValues } from './thread-values.js';
import { versionAfter } from './thread-version.js';
import { ListOf, Text } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { Id, MANY, PRINTABLE, ThreadWrite, WriteDto } from './thread-fields.js';

@Describes({
  summary: 'Put what a task has written after a checkpoint; the same writes again add nothing',
  roles: { own: ['agent', 'user'], of: 'thread' },
  answers: [200, ThreadChangedDto],
  fails: ['PRIVACY_BLOCKED'],
})
export class PutWrites extends ThreadWrite<ThreadChangedDto> {
  @Id() task_id!: string;

  @Text({
    optional: true,
    max: 2_048,
    pattern: PRINTABLE,
    description: 'The place of the task in its step.',
  })
  task_path?: string;

  @ListOf(WriteDto, { max: MANY }) writes!: readonly WriteDto[];
}

/**
 * Records what a task has written, before the next checkpoint contains it. The same writes again add nothing, unless
 * they are erased.
 */
@CommandHandler(PutWrites)
export class PutWritesHandler implements ICommandHandler<PutWrites> {
  constructor(
    @Inject(THREAD_STORE) private readonly store: ThreadStore,
    private readonly access: ThreadAccess,
    private readonly claims: RequestClaims,
    private readonly values: ThreadValues,
    private readonly seals: SealedWrites,
    private readonly gate: PrivacyGate,
  ) {}

  async execute(put: PutWrites): Promise<Answer<ThreadChangedDto>> {
    const { actor, identity, thread_id, namespace = '', checkpoint_id, task_id } = put;
    const { task_path, writes } = put;
    const channels = writes.map(({ channel }) => channel);
    await this.gate.requireClearIds({ checkpoint_id, task_id, task_path, writes: channels });
    const own = await this.access.own(actor, thread_id, namespace);
    const stream = await this.claims.streamFor(identity, own.stream);
    let data: Promise<WritesPut> | undefined;
    const executed = await this.store.execute(
      stream,
      async ({ last, thread }) => {
        if (thread === undefined) requireComposed('thread_id', thread_id);
        const { body_hash } = identity;
        const earlier = writesIn(last, checkpoint_id).filter((entry) => entry.task_id === task_id);
        const known = earlier.findLast(({ digest }) => isSameRequest(digest, body_hash));
        const isErased = known !== undefined && (await this.seals.isErased(stream, known.event));
        // The thread has these writes already, so nothing is sealed.
        if (known !== undefined && known === earlier.at(-1) && !isErased) return [];
        const digest = isErased ? againDigest(body_hash, known.event) : body_hash;
        const stored = await (data ??= this.dataOf(own, put));
        return [{ type: 'put_writes', data: { ...stored, digest } }];
      },
      identity,
    );
    return Answer.written({ version: versionAfter(executed) }, executed.position);
  }

  private async dataOf(
    { thread, subject }: OwnThread,
    { checkpoint_id, task_id, task_path = '', writes, identity }: PutWrites,
  ): Promise<WritesPut> {
    const { body_hash, received_at } = identity;
    const stored = await this.values.stored(
      subject,
      writes.map(({ channel, value }) => ({ label: channel, value })),
    );
    return {
      thread,
      checkpoint_id,
      task_id,
      task_path,
      writes: writes.map(({ index, channel }, place) => ({ index, channel, ...stored[place]! })),
      digest: body_hash,
      at: received_at,
    };
  }
}
