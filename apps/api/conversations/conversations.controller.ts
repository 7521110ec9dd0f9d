import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { AppendItems, ClearConversation, PopItem, ReplaceItems } from './conversation-changes.js';
import { ReadItems } from './read-items.js';
import { ExportConversation, ReplayConversation } from './conversation-record.js';

@ApiTags('conversations')
@Controller('v1/conversations')
export class ConversationsController extends RequestController {
  @Post(':id/items')
  append(@Request() change: AppendItems) {
    return this.commands.execute(change);
  }

  @Get(':id/items')
  items(@Request() asked: ReadItems) {
    return this.queries.execute(asked);
  }

  @Post(':id/pop')
  pop(@Request() change: PopItem) {
    return this.commands.execute(change);
  }

  @Post(':id/clear')
  clear(@Request() change: ClearConversation) {
    return this.commands.execute(change);
  }

  @Post(':id/transactions')
  transact(@Request() change: ReplaceItems) {
    return this.commands.execute(change);
  }
}

/** The routes that show what the log has of a conversation, unchanged and complete (SPEC X1, X4). */
@ApiTags('conversations')
@Controller('v1/conversations')
export class ConversationRecordController extends RequestController {
  @Get(':id/bundle')
  bundle(@Request() asked: ExportConversation) {
    return this.queries.execute(asked);
  }

  @Post(':id/replays')
  replay(@Request() asked: ReplayConversation) {
    return this.queries.execute(asked);
  }
}
