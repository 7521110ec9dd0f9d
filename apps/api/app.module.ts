import { Module, type DynamicModule } from '@nestjs/common';
import { ActionRequestsModule } from './action-requests/action-requests.module.js';
import { OwnershipModule } from './ownership/ownership.module.js';
import { CheckpointsModule } from './checkpoints/checkpoints.module.js';
import { CollisionsModule } from './collisions/collisions.module.js';
import { ConsoleModule } from './console/console.module.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { ConsentsModule } from './consents/consents.module.js';
import { ErasuresModule } from './erasures/erasures.module.js';
import { EventsModule } from './events/events.module.js';
import { EpisodesModule } from './episodes/episodes.module.js';
import { HealthModule } from './health/health.module.js';
import { IntegrityModule } from './integrity/integrity.module.js';
import { JobRecordModule } from './jobs/record/job-record.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MemoriesModule } from './memories/memories.module.js';
import { MemoryContractModule } from './memory-contract/memory-contract.module.js';
import { MomentsModule } from './moments/moments.module.js';
import { PositionsModule } from './positions/positions.module.js';
import { NotesModule } from './notes/notes.module.js';
import type { Logger } from 'pino';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { ProgramModule } from '#platform/program.module.js';
import { ProjectorModule } from '#platform/projector.module.js';
import { ReadModelsModule } from '#projections/read-models.module.js';
import { OversightModule } from './oversight/oversight.module.js';
import { PlatformModule } from './platform/platform.module.js';
import type { Servers } from './platform/start/servers.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { ProcessManagersModule } from './process-managers/process-managers.module.js';
import { ProjectionsModule } from './projections/projections.module.js';
import { QueriesModule } from './queries/queries.module.js';
import { ReflectiveLogsModule } from './reflective-logs/reflective-logs.module.js';
import { ReviewNoticesModule } from './review-notices/review-notices.module.js';
import { SearchModule } from './search/search.module.js';
import { SemModule } from './sem/sem.module.js';
import { StorageQueueModule } from './storage-queue/storage-queue.module.js';
import { StreamsModule } from './streams/streams.module.js';
import { ThreadsModule } from './threads/threads.module.js';
import { WhyModule } from './why/why.module.js';

/** The modules of the product's capabilities, or of a test. */
export type Capabilities = NonNullable<DynamicModule['imports']>;

/** The list has one module for each capability. */
const CAPABILITIES: Capabilities = [
  HealthModule,
  ConsentsModule,
  ErasuresModule,
  OwnershipModule,
  JobsModule,
  SemModule,
  StreamsModule,
  ThreadsModule,
  CollisionsModule,
  ConversationsModule,
  EpisodesModule,
  ActionRequestsModule,
  ReviewNoticesModule,
  JobRecordModule,
  EventsModule,
  ReflectiveLogsModule,
  IntegrityModule,
  CheckpointsModule,
  MemoriesModule,
  MemoryContractModule,
  MomentsModule,
  PositionsModule,
  NotesModule,
  OversightModule,
  SearchModule,
  WhyModule,
  QueriesModule,
  ProcessManagersModule,
  StorageQueueModule,
  ProjectionsModule,
  McpModule,
  ConsoleModule,
];

/** The whole service. */
@Module({})
export class AppModule {
  /** @param more the modules that are served in addition to the product's capabilities. */
  static of(
    config: ServiceConfig,
    servers: Servers,
    logger: Logger,
    more: Capabilities,
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ProgramModule.of(config, servers, logger),
        ReadModelsModule,
        ...(config.projections === 'internal' ? [ProjectorModule] : []),
        PlatformModule.of(config, servers.embedded, logger),
        PrivacyModule.of(config),
        ...CAPABILITIES,
        ...more,
      ],
    };
  }
}
