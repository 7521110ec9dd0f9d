import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TakesFile } from '../platform/http/file-body.js';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { CompareWithCheckpoint, CompareWithFile, ListLogComparisons } from './compare-log.js';
import { GetLogCheckpointFile } from './get-checkpoint-file.js';
import { ListLogCheckpoints } from './list-checkpoints.js';
import { MakeLogCheckpoint } from './make-checkpoint.js';

@ApiTags('integrity')
@Controller('v1/integrity')
export class CheckpointsController extends RequestController {
  @Post('checkpoints')
  make(@Request() asked: MakeLogCheckpoint) {
    return this.commands.execute(asked);
  }

  @Get('checkpoints')
  list(@Request() asked: ListLogCheckpoints) {
    return this.queries.execute(asked);
  }

  @Get('checkpoints/:checkpoint_id')
  file(@Request() asked: GetLogCheckpointFile) {
    return this.queries.execute(asked);
  }

  @Post('checkpoints/:checkpoint_id/comparisons')
  compare(@Request() asked: CompareWithCheckpoint) {
    return this.commands.execute(asked);
  }

  @TakesFile()
  @Post('comparisons')
  compareFile(@Request() asked: CompareWithFile) {
    return this.commands.execute(asked);
  }

  @Get('comparisons')
  comparisons(@Request() asked: ListLogComparisons) {
    return this.queries.execute(asked);
  }
}
