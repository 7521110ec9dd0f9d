import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { recordHandlers } from '../replay/record-handlers.js';
import { handlersOf } from '../platform/handlers-of.js';
import { CHANGES } from './conversation-changes.js';
import { ExportConversation, ReplayConversation } from './conversation-record.js';
import { ChangeConversationHandler } from './change-conversation.js';
import { ConversationAccess } from './conversation-access.js';
import {
  ConversationRecordController,
  ConversationsController,
} from './conversations.controller.js';
import { ConversationItems } from './conversation-items.js';
import { ReadItemsHandler } from './read-items.js';

@Module({
  imports: [ReplayModule],
  controllers: [ConversationsController, ConversationRecordController],
  providers: [
    ConversationAccess,
    ConversationItems,
    ...handlersOf(ChangeConversationHandler, ...CHANGES),
    ReadItemsHandler,
    ...recordHandlers({
      file: 'conversation',
      export: ExportConversation,
      replay: ReplayConversation,
      access: ConversationAccess,
    }),
  ],
})
export class ConversationsModule {}
