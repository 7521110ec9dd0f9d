import { Module } from '@nestjs/common';
import { RecordedReads } from './recorded-reads.js';
import { SearchAccess } from './search-access.js';
import { SearchController } from './search.controller.js';
import { SearchMemoryHandler } from './search-memory.js';

@Module({
  controllers: [SearchController],
  providers: [SearchAccess, RecordedReads, SearchMemoryHandler],
  exports: [SearchAccess, RecordedReads],
})
export class SearchModule {}
