import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { AppendItems, ClearConversation, PopItem, ReplaceItems } from './conversation-changes.js';
import { ReadItems } from './read-items.js';

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
