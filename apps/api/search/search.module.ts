import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { SearchAccess } from './search-access.js';
import { SearchController } from './search.controller.js';
import { SearchMemoryHandler } from './search-memory.handler.js';

@Module({
  imports: [JobsModule],
  controllers: [SearchController],
  providers: [SearchAccess, SearchMemoryHandler],
})
export class SearchModule {}
