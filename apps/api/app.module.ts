import { Module, type DynamicModule } from '@nestjs/common';
import { ActionRequestsModule } from './action-requests/action-requests.module.js';
import { AuditModule } from './audit/audit.module.js';
import { ClaimsModule } from './claims/claims.module.js';
import { EpisodesModule } from './episodes/episodes.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { MemoryContractModule } from './memory-contract/memory-contract.module.js';
import { PlatformModule } from './platform/platform.module.js';
import type { Resources } from './platform/resources.js';
import { ProcessManagersModule } from './process-managers/process-managers.module.js';
import { ProjectionsModule } from './projections/projections.module.js';
import { QueriesModule } from './queries/queries.module.js';
import { ReadModelsModule } from './read-models.module.js';
import { ReflectiveLogsModule } from './reflective-logs/reflective-logs.module.js';
import { SemModule } from './sem/sem.module.js';
import { StorageQueueModule } from './storage-queue/storage-queue.module.js';

/** One module a capability. */
const CAPABILITIES: NonNullable<DynamicModule['imports']> = [
  ReadModelsModule,
  ClaimsModule,
  JobsModule,
  SemModule,
  EpisodesModule,
  ActionRequestsModule,
  AuditModule,
  ReflectiveLogsModule,
  MemoryContractModule,
  QueriesModule,
  ProcessManagersModule,
  StorageQueueModule,
  ProjectionsModule,
];

/** The whole service over opened resources. */
@Module({})
export class AppModule {
  /** `more` is served beside the product's capabilities. */
  static of(resources: Resources, more: typeof CAPABILITIES = []): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.of(resources), ...CAPABILITIES, ...more] };
  }
}
