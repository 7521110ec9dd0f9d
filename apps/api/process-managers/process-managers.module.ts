import { Module } from '@nestjs/common';
import { ActionRequestsModule } from '../action-requests/action-requests.module.js';
import { ErasuresModule } from '../erasures/erasures.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { MemoryContractModule } from '../memory-contract/memory-contract.module.js';
import { QueriesModule } from '../queries/queries.module.js';
import { ObligationWorker } from './obligation-worker.js';

@Module({
  imports: [ActionRequestsModule, ErasuresModule, JobsModule, MemoryContractModule, QueriesModule],
  providers: [ObligationWorker],
})
export class ProcessManagersModule {}
