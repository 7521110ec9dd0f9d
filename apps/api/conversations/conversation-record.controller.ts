import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ExportConversation, ReplayConversation } from './conversation-record.js';

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
