import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { GetSemSnapshot } from './get-sem-snapshot.js';

@ApiTags('sem')
@Controller('v1/sem-snapshots')
export class SemSnapshotsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id')
  get(@Request() asked: GetSemSnapshot) {
    return this.queries.execute(asked);
  }
}
