import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ExplainWhy } from './explain-why.js';
import { ListAccessesTo, ListReads } from './list-reads.js';

@ApiTags('why')
@Controller('v1/why')
export class WhyController extends RequestController {
  @Get()
  why(@Request() asked: ExplainWhy) {
    return this.queries.execute(asked);
  }

  @Get('reads')
  reads(@Request() asked: ListReads) {
    return this.queries.execute(asked);
  }

  @Get('accesses')
  accesses(@Request() asked: ListAccessesTo) {
    return this.queries.execute(asked);
  }
}
