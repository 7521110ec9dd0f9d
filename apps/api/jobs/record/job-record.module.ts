import { Module } from '@nestjs/common';
import type { EventStore } from '#event-store/event-store.js';
import { EventsModule } from '../../events/events.module.js';
import { JobsModule } from '../jobs.module.js';
import { EVENT_STORE } from '../../platform/tokens.js';
import { EventMatches } from './event-matches.js';
import { ReplayModule } from '../../replay/replay.module.js';
import { ExportJobHandler } from './export-job.js';
import { GetJobStateHandler } from './get-job-state.js';
import { SemModule } from '../../sem/sem.module.js';
import { GetKnownHandler } from './get-known.js';
import { GetJobTimelineHandler } from './get-job-timeline.js';
import { JobEventStream } from './job-event-stream.js';
import { JobRecordController } from './job-record.controller.js';
import { JobTimelines } from './job-timelines.js';
import { ListJobsHandler } from './list-jobs.js';
import { PinnedSnapshotCheck } from './pinned-snapshot-check.js';
import { ReadJobEventsHandler } from './read-job-events.js';
import { ReplayJobHandler } from './replay-job.js';

@Module({
  imports: [JobsModule, SemModule, EventsModule, ReplayModule],
  controllers: [JobRecordController],
  providers: [
    PinnedSnapshotCheck,
    ListJobsHandler,
    JobEventStream,
    ReadJobEventsHandler,
    ExportJobHandler,
    ReplayJobHandler,
    {
      provide: JobTimelines,
      inject: [EVENT_STORE],
      useFactory: (eventStore: EventStore) => new JobTimelines(eventStore),
    },
    EventMatches,
    GetJobStateHandler,
    GetJobTimelineHandler,
    GetKnownHandler,
  ],
})
export class JobRecordModule {}
