import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { GetRetention } from './get-retention.js';

@ApiTags('privacy')
@Controller('v1/retention')
export class RetentionController extends RequestController {
  @Get()
  get(@Request() asked: GetRetention) {
    return this.queries.execute(asked);
  }
}
