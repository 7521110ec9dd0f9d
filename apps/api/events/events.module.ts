import { Module } from '@nestjs/common';
import { MemoryContractModule } from '../memory-contract/memory-contract.module.js';
import { EventAccess } from './event-access.js';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { FollowEventsHandler } from './follow-events.js';
import { LogTail } from './log-tail.js';

@Module({
  imports: [MemoryContractModule],
  controllers: [EventsController],
  providers: [EventAccess, EventStreams, LogTail, FollowEventsHandler],
  exports: [EventStreams, LogTail],
})
export class EventsModule {}
