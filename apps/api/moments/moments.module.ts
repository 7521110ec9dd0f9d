import { Global, Module } from '@nestjs/common';
import { MemoriesModule } from '../memories/memories.module.js';
import { ReplayModule } from '../replay/replay.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { ExportMomentHandler } from './export-moment.js';
import { GetPositionHandler } from './get-position.js';
import { MomentStreams } from './moment-streams.js';
import { Moments } from './moments.js';
import { MomentsController } from './moments.controller.js';
import { PastRows } from './past-rows.js';

/** What the log held at a time on the wall (SPEC W5). Every read that has a past takes it. */
@Global()
@Module({ providers: [Moments, PastRows], exports: [Moments, PastRows] })
export class MomentsModule {}

/** The position at a time, and what the log held then as one file. */
@Module({
  imports: [MemoriesModule, ReplayModule, StreamsModule],
  controllers: [MomentsController],
  providers: [GetPositionHandler, ExportMomentHandler, MomentStreams],
})
export class PositionsModule {}
