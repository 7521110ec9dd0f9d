import { Module } from '@nestjs/common';
import { MemoriesModule } from '../memories/memories.module.js';
import { ReplayModule } from '../replay/replay.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { ExportMomentHandler } from './export-moment.js';
import { GetPositionHandler } from './get-position.js';
import { MomentStreams } from './moment-streams.js';
import { PositionsController } from './positions.controller.js';

/** The position at a time, and what the log held then as one file. */
@Module({
  imports: [MemoriesModule, ReplayModule, StreamsModule],
  controllers: [PositionsController],
  providers: [GetPositionHandler, ExportMomentHandler, MomentStreams],
})
export class PositionsModule {}
