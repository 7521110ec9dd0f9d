import { Module } from '@nestjs/common';
import { MemoryContractModule } from '../memory-contract/memory-contract.module.js';
import { EventAccess } from './event-access.js';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { FollowEventsHandler } from './follow-events.handler.js';
import { FollowJobEventsHandler } from './follow-job-events.handler.js';
import { LogTail } from './log-tail.js';

@Module({
  imports: [MemoryContractModule],
  controllers: [EventsController],
  providers: [EventAccess, EventStreams, LogTail, FollowEventsHandler, FollowJobEventsHandler],
  exports: [EventStreams],
})
export class EventsModule {}
