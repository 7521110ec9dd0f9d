import { Module } from '@nestjs/common';
import { ChangeConversationHandler } from './change-conversation.handler.js';
import { ConversationAccess } from './conversation-access.js';
import { ConversationItems } from './conversation-items.js';
import { ConversationsController } from './conversations.controller.js';
import { ReadItemsHandler } from './read-items.handler.js';

@Module({
  controllers: [ConversationsController],
  providers: [ConversationAccess, ConversationItems, ChangeConversationHandler, ReadItemsHandler],
})
export class ConversationsModule {}
