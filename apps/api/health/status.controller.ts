import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { GetStatus } from './get-status.js';

/** The state of the service and of its log's room, for people. */
@ApiTags('admin')
@Controller('v1/admin/status')
export class StatusController extends RequestController {
  @Get()
  status(@Request() asked: GetStatus) {
    return this.queries.execute(asked);
  }
}
