import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { GetSemSnapshot } from './get-sem-snapshot.js';

@ApiTags('sem')
@Controller('v1/sem-snapshots')
export class SemSnapshotsController extends RequestController {
  @Get(':id')
  get(@Request() asked: GetSemSnapshot) {
    return this.queries.execute(asked);
  }
}
