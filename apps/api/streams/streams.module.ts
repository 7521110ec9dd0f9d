import { Module } from '@nestjs/common';
import { recordHandlers } from '../replay/record-handlers.js';
import { ReplayModule } from '../replay/replay.module.js';
import { StreamAccess } from './stream-access.js';
import { ExportStream, ReplayAnyStream } from './stream-record.js';
import { StreamsController } from './streams.controller.js';

/** The record of any stream by its name: its bundle and its replay. */
@Module({
  imports: [ReplayModule],
  controllers: [StreamsController],
  providers: [
    StreamAccess,
    ...recordHandlers({
      file: 'stream',
      export: ExportStream,
      replay: ReplayAnyStream,
      access: StreamAccess,
    }),
  ],
  exports: [StreamAccess],
})
export class StreamsModule {}
