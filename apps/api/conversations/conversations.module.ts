import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { ChangeConversationHandler } from './change-conversation.handler.js';
import { ConversationAccess } from './conversation-access.js';
import { ConversationRecordController } from './conversation-record.controller.js';
import { ConversationItems } from './conversation-items.js';
import { ConversationsController } from './conversations.controller.js';
import { ExportConversationHandler } from './export-conversation.handler.js';
import { ReplayConversationHandler } from './replay-conversation.handler.js';
import { ReadItemsHandler } from './read-items.handler.js';

@Module({
  imports: [ReplayModule],
  controllers: [ConversationsController, ConversationRecordController],
  providers: [
    ConversationAccess,
    ConversationItems,
    ChangeConversationHandler,
    ReadItemsHandler,
    ExportConversationHandler,
    ReplayConversationHandler,
  ],
})
export class ConversationsModule {}
