import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { ReplayMode, ReplayReport } from '#domain/replay/stream-replay.js';
import { StreamRecords } from '../replay/stream-records.js';
import { ConversationAccess } from './conversation-access.js';

export class ReplayConversation extends Query<ReplayReport> {
  constructor(
    readonly actor: Actor,
    readonly id: string,
    readonly owner: string | undefined,
    readonly mode: ReplayMode,
  ) {
    super();
  }
}

/** Replays a conversation: folds its stream and decides its changes again (SPEC X1). */
@QueryHandler(ReplayConversation)
export class ReplayConversationHandler implements IQueryHandler<ReplayConversation> {
  constructor(
    private readonly access: ConversationAccess,
    private readonly records: StreamRecords,
  ) {}

  async execute({ actor, id, owner, mode }: ReplayConversation): Promise<ReplayReport> {
    return this.records.replay(await this.access.existing(actor, id, owner), mode);
  }
}
