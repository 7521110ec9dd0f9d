import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { GetAccessReceipt } from './get-access-receipt.js';
import { ListAllConsents } from './list-all-consents.js';
import { ListAccesses, ListRefusals } from './list-audit-entries.js';

@ApiTags('oversight')
@Controller('v1/oversight')
export class OversightController extends RequestController {
  @Get('accesses')
  accesses(@Request() asked: ListAccesses) {
    return this.queries.execute(asked);
  }

  @Get('accesses/:position/receipt')
  accessReceipt(@Request() asked: GetAccessReceipt) {
    return this.queries.execute(asked);
  }

  @Get('refusals')
  refusals(@Request() asked: ListRefusals) {
    return this.queries.execute(asked);
  }

  @Get('consents')
  consents(@Request() asked: ListAllConsents) {
    return this.queries.execute(asked);
  }
}
