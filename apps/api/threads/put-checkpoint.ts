import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#domain/json.js';
import { againDigest, checkpointIn, isSameRequest } from '#domain/thread/entries.js';
import type { ChannelVersions, CheckpointPut, Stored } from '#domain/thread/events.js';
import { requireComposed } from '#domain/unicode-form.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { ThreadStore } from '../platform/stores.js';
import { THREAD_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { SealedWrites } from '../privacy/sealed-writes.js';
import { ThreadChangedDto } from './thread-view.js';
import { type OwnThread, ThreadAccess } from './thread-access.js';
import { versionAfter } from './thread-version.js';
import { ThreadValues } from './thread-values.js';
import { AnyObject, TextList } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { Id, MANY, ThreadWrite } from './thread-fields.js';

@Describes({
  summary: 'Put a checkpoint of the caller’s thread; the same one again adds nothing',
  roles: { own: ['agent', 'user'], of: 'thread' },
  does: 'begins a thread, or goes on with it',
  example: {
    ...{ thread_id: 'trip', checkpoint_id: '1', checkpoint: { v: 4 }, metadata: { step: 0 } },
    ...{ channel_versions: { messages: 1 }, channel_values: { messages: ['Where is the ship?'] } },
  },
  answers: [200, ThreadChangedDto],
  fails: ['PRIVACY_BLOCKED'],
})
export class PutCheckpoint extends ThreadWrite<ThreadChangedDto> {
  @Id({ optional: true, description: 'The checkpoint from which the step began.' })
  parent_checkpoint_id?: string;

  @AnyObject({ description: 'The checkpoint without the versions and values of its channels.' })
  checkpoint!: JsonObject;

  @AnyObject() metadata!: JsonObject;

  @AnyObject({ description: 'The version of each channel, a number or a text.' })
  channel_versions!: JsonObject;

  @AnyObject({
    description:
      'The values that this step has changed, by channel. The service finds the others under the same versions.',
  })
  channel_values!: JsonObject;

  @TextList({
    optional: true,
    max: MANY,
    maxLength: 256,
    description: 'The channels that this step has emptied.',
  })
  empty_channels?: readonly string[];
}

/** Records a checkpoint of the caller's thread. The same one again adds nothing, unless its values are erased. */
@CommandHandler(PutCheckpoint)
export class PutCheckpointHandler implements ICommandHandler<PutCheckpoint> {
  constructor(
    @Inject(THREAD_STORE) private readonly store: ThreadStore,
    private readonly access: ThreadAccess,
    private readonly claims: RequestClaims,
    private readonly values: ThreadValues,
    private readonly seals: SealedWrites,
    private readonly gate: PrivacyGate,
  ) {}

  async execute(put: PutCheckpoint): Promise<Answer<ThreadChangedDto>> {
    const { actor, identity, thread_id, namespace = '', checkpoint_id, channel_versions } = put;
    const { parent_checkpoint_id } = put;
    const channels = { channel_versions: Object.keys(channel_versions) };
    await this.gate.requireClearIds({ checkpoint_id, parent_checkpoint_id, ...channels });
    // A version is scanned as it is written: a counted one has a dot before random digits, which look like a card.
    await this.gate.requireClear({ channel_versions });
    const own = await this.access.own(actor, thread_id, namespace);
    const stream = await this.claims.streamFor(identity, own.stream);
    let data: Promise<CheckpointPut> | undefined;
    const executed = await this.store.execute(
      stream,
      async ({ last, thread }) => {
        if (thread === undefined) requireComposed('thread_id', thread_id);
        const { body_hash } = identity;
        const known = checkpointIn(last, checkpoint_id);
        const isSame = known !== undefined && isSameRequest(known.digest, body_hash);
        const isErased = isSame && (await this.seals.isErased(stream, known.event));
        // The thread has this checkpoint already, so nothing is sealed.
        if (isSame && !isErased) return [];
        const digest = isErased ? againDigest(body_hash, known.event) : body_hash;
        const stored = await (data ??= this.dataOf(own, put));
        return [{ type: 'put_checkpoint', data: { ...stored, digest } }];
      },
      identity,
    );
    return Answer.written({ version: versionAfter(executed) }, executed.position);
  }

  private async dataOf({ thread, subject }: OwnThread, put: PutCheckpoint): Promise<CheckpointPut> {
    const { checkpoint_id, parent_checkpoint_id = null, empty_channels = [] } = put;
    const { body_hash, received_at } = put.identity;
    const channels = Object.keys(put.channel_values);
    const [checkpoint, metadata, ...values] = (await this.values.stored(subject, [
      { label: 'checkpoint', value: put.checkpoint },
      { label: 'metadata', value: put.metadata },
      ...labelled(put.channel_values),
    ])) as [Stored, Stored, ...Stored[]];
    return {
      thread,
      checkpoint_id,
      parent_checkpoint_id,
      checkpoint,
      metadata,
      channel_versions: put.channel_versions as ChannelVersions,
      channel_values: values.map((stored, place) => ({ channel: channels[place]!, ...stored })),
      empty_channels,
      digest: body_hash,
      at: received_at,
    };
  }
}

const labelled = (values: JsonObject) =>
  Object.entries(values).map(([label, value]) => ({ label, value }));
