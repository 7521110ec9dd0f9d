import { Module } from '@nestjs/common';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import type { EventStore } from '#event-store/event-store.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { EventsModule } from '../events/events.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { CONFIG, EVENT_STORE } from '../platform/tokens.js';
import { BundleKeysController } from './bundle-keys.controller.js';
import { EventMatches } from './event-matches.js';
import { ExportJobHandler } from './export-job.handler.js';
import { GetJobStateHandler } from './get-job-state.handler.js';
import { GetJobTimelineHandler } from './get-job-timeline.handler.js';
import { JobRecordController } from './job-record.controller.js';
import { JobTimelines } from './job-timelines.js';
import { ListJobEventsHandler } from './list-job-events.handler.js';
import { ListJobsHandler } from './list-jobs.handler.js';
import { PinnedSnapshotCheck } from './pinned-snapshot-check.js';
import { ReplayJobHandler } from './replay-job.handler.js';
import { StreamRecords } from './stream-records.js';

@Module({
  imports: [JobsModule, EventsModule],
  controllers: [JobRecordController, BundleKeysController],
  providers: [
    {
      provide: BundleSigner,
      inject: [CONFIG],
      useFactory: ({ bundleKey, oldBundleKeys }: ServiceConfig) =>
        new BundleSigner(bundleKey, oldBundleKeys),
    },
    StreamRecords,
    PinnedSnapshotCheck,
    ListJobsHandler,
    ListJobEventsHandler,
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
  ],
  exports: [BundleSigner, StreamRecords],
})
export class AuditModule {}
