import { Module } from '@nestjs/common';
import { SemModule } from '../sem/sem.module.js';
import { RecordedReads } from './recorded-reads.js';
import { SearchAccess } from './search-access.js';
import { SearchController } from './search.controller.js';
import { SearchMemoryHandler } from './search-memory.js';

@Module({
  imports: [SemModule],
  controllers: [SearchController],
  providers: [SearchAccess, RecordedReads, SearchMemoryHandler],
  exports: [SearchAccess, RecordedReads],
})
export class SearchModule {}
