import { Inject, Injectable, type StreamableFile } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import type { Actor } from '#domain/recorded-event.js';
import { REPLAY_MODES, type ReplayMode } from '#domain/replay/stream-replay.js';
import { BUNDLE, ReplayReportDto } from '../replay/record-view.js';
import { readersOf } from '../platform/auth/roles.js';
import { OneOf } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import type { ThreadStore } from '../platform/stores.js';
import { THREAD_STORE } from '../platform/tokens.js';
import { ThreadAccess } from './thread-access.js';
import { Namespace, ThreadId, ThreadOwner } from './thread-fields.js';

/** A read of what the log has of a thread, in one namespace. */
abstract class ThreadRecord<Body> extends ReadRequest<Body> {
  @ThreadId() thread_id!: string;
  @Namespace() namespace?: string;
  @ThreadOwner() owner?: string;
}

@Describes({
  summary:
    'The thread’s signed bundle as NDJSON; `mace verify` checks it offline, with the keys of /.well-known/jwks.json',
  roles: readersOf('thread'),
  answers: BUNDLE,
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
})
export class ExportThread extends ThreadRecord<StreamableFile> {}

@Describes({
  summary: 'Replay a thread from its inputs and compare every event',
  roles: readersOf('thread'),
  answers: [200, ReplayReportDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE'],
})
export class ReplayThread extends ThreadRecord<ReplayReportDto> {
  @OneOf(REPLAY_MODES, { optional: true }) mode?: ReplayMode;
}

/** Finds the stream of a thread that exists. */
@Injectable()
export class RecordedThreads {
  constructor(
    @Inject(THREAD_STORE) private readonly store: ThreadStore,
    private readonly access: ThreadAccess,
  ) {}

  /**
   * Returns the stream of a thread. @throws Refusal NOT_FOUND, which does not repeat the id, because that may be a
   * person's name (SPEC P6), and PERMISSION_DENIED for another owner, unless the caller may read every owner's
   */
  async existing(
    actor: Actor,
    { thread_id, namespace = '', owner: named }: ThreadRecord<unknown>,
  ): Promise<string> {
    const { owner } = this.access.readable(actor, named);
    const stream = await this.access.streamOf(owner, thread_id, namespace);
    if ((await this.store.load(stream)).state.eventCount === 0)
      throw new Refusal('NOT_FOUND', { what: 'thread', id: stream });
    return stream;
  }
}
