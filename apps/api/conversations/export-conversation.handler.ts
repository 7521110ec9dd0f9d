import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import { StreamRecords } from '../replay/stream-records.js';
import { ConversationAccess } from './conversation-access.js';

export class ExportConversation extends Query<AsyncIterable<string>> {
  constructor(
    readonly actor: Actor,
    readonly id: string,
    readonly owner: string | undefined,
  ) {
    super();
  }
}

/** Streams the lines of a conversation's signed bundle, without line feeds (SPEC X4). */
@QueryHandler(ExportConversation)
export class ExportConversationHandler implements IQueryHandler<ExportConversation> {
  constructor(
    private readonly access: ConversationAccess,
    private readonly records: StreamRecords,
  ) {}

  async execute({ actor, id, owner }: ExportConversation): Promise<AsyncIterable<string>> {
    return this.records.bundle(await this.access.existing(actor, id, owner));
  }
}
