import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ListQuarantine } from './list-quarantine.js';

@ApiTags('reflective-logs')
@Controller('v1/quarantine')
export class QuarantineController extends RequestController {
  @Get()
  list(@Request() asked: ListQuarantine) {
    return this.queries.execute(asked);
  }
}
