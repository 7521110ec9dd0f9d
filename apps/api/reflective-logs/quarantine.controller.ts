import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { ListQuarantine } from './list-quarantine.js';

@ApiTags('reflective-logs')
@Controller('v1/quarantine')
export class QuarantineController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  list(@Request() asked: ListQuarantine) {
    return this.queries.execute(asked);
  }
}
