import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { CheckpointKeeper } from './checkpoint-keeper.js';
import { CheckpointMaking } from './checkpoint-making.js';
import { CheckpointPlaces } from './checkpoint-places.js';
import { CheckpointSchedule } from './checkpoint-schedule.js';
import { CheckpointsController } from './checkpoints.controller.js';
import {
  CompareWithCheckpointHandler,
  CompareWithFileHandler,
  ListLogComparisonsHandler,
} from './compare-log.js';
import { CheckpointFiles, GetLogCheckpointFileHandler } from './get-checkpoint-file.js';
import { ListLogCheckpointsHandler } from './list-checkpoints.js';
import { LogComparison } from './log-comparison.js';
import { LogGrowth } from './log-growth.js';
import { MakeLogCheckpointHandler } from './make-checkpoint.js';

@Module({
  imports: [ReplayModule],
  controllers: [CheckpointsController],
  providers: [
    CheckpointFiles,
    CheckpointKeeper,
    CheckpointMaking,
    CheckpointPlaces,
    CheckpointSchedule,
    LogComparison,
    LogGrowth,
    MakeLogCheckpointHandler,
    ListLogCheckpointsHandler,
    GetLogCheckpointFileHandler,
    CompareWithCheckpointHandler,
    CompareWithFileHandler,
    ListLogComparisonsHandler,
  ],
})
export class CheckpointsModule {}
