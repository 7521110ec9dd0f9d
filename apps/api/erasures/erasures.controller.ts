import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ExecuteErasure } from './execute-erasure.js';
import { GetErasure } from './get-erasure.js';
import { GetRetention } from './get-retention.js';

@ApiTags('privacy')
@Controller('v1/erasures')
export class ErasuresController extends RequestController {
  @Post(':id/execution')
  execute(@Request() erasure: ExecuteErasure) {
    return this.commands.execute(erasure);
  }

  @Get(':id')
  get(@Request() asked: GetErasure) {
    return this.queries.execute(asked);
  }
}

@ApiTags('privacy')
@Controller('v1/retention')
export class RetentionController extends RequestController {
  @Get()
  get(@Request() asked: GetRetention) {
    return this.queries.execute(asked);
  }
}
