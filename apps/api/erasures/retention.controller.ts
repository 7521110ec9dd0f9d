import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { GetRetention } from './get-retention.js';

@ApiTags('privacy')
@Controller('v1/retention')
export class RetentionController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  get(@Request() asked: GetRetention) {
    return this.queries.execute(asked);
  }
}
