import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ExportStream, ReplayAnyStream } from './stream-record.js';

@ApiTags('audit')
@Controller('v1/streams')
export class StreamsController extends RequestController {
  @Get('bundle')
  bundle(@Request() asked: ExportStream) {
    return this.queries.execute(asked);
  }

  @Post('replays')
  replay(@Request() asked: ReplayAnyStream) {
    return this.queries.execute(asked);
  }
}
