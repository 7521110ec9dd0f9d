import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { againDigest, checkpointIn, isSameRequest } from '#domain/thread/entries.js';
import type { ChannelVersions, CheckpointPut, Stored } from '#domain/thread/events.js';
import { requireComposed } from '#domain/unicode-form.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ThreadStore } from '../platform/stores.js';
import { THREAD_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { SealedWrites } from '../privacy/sealed-writes.js';
import type { ThreadChangedDto } from './dto/thread-view.dto.js';
import type { PutCheckpointDto } from './dto/thread.dto.js';
import { type OwnThread, ThreadAccess } from './thread-access.js';
import { versionAfter } from './thread-version.js';
import { ThreadValues } from './thread-values.js';

export class PutCheckpoint extends Command<Answer<ThreadChangedDto>> {
  constructor(
    readonly actor: Actor,
    readonly body: PutCheckpointDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
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

  async execute({ actor, body, identity }: PutCheckpoint): Promise<Answer<ThreadChangedDto>> {
    const { thread_id, namespace = '', checkpoint_id } = body;
    const { channel_versions } = body;
    const ids = [checkpoint_id, body.parent_checkpoint_id, ...Object.keys(channel_versions)];
    await this.gate.requireClearIds(...ids);
    // A version is scanned as it is written: a counted one has a dot before random digits, which look like a card.
    await this.gate.requireClear(channel_versions);
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
        const put = await (data ??= this.dataOf(own, body, identity));
        return [{ type: 'put_checkpoint', data: { ...put, digest } }];
      },
      identity,
    );
    return Answer.written({ version: versionAfter(executed) }, executed.position);
  }

  private async dataOf(
    { thread, subject }: OwnThread,
    body: PutCheckpointDto,
    { body_hash, received_at }: RequestIdentity,
  ): Promise<CheckpointPut> {
    const { checkpoint_id, parent_checkpoint_id = null, empty_channels = [] } = body;
    const channels = Object.keys(body.channel_values);
    const [checkpoint, metadata, ...values] = (await this.values.stored(subject, [
      { label: 'checkpoint', value: body.checkpoint },
      { label: 'metadata', value: body.metadata },
      ...labelled(body.channel_values),
    ])) as [Stored, Stored, ...Stored[]];
    return {
      thread,
      checkpoint_id,
      parent_checkpoint_id,
      checkpoint,
      metadata,
      channel_versions: body.channel_versions as ChannelVersions,
      channel_values: values.map((stored, place) => ({ channel: channels[place]!, ...stored })),
      empty_channels,
      digest: body_hash,
      at: received_at,
    };
  }
}

const labelled = (values: JsonObject) =>
  Object.entries(values).map(([label, value]) => ({ label, value }));
