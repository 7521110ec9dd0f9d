import { Module } from '@nestjs/common';
import { SearchAccess } from './search-access.js';
import { SearchController } from './search.controller.js';
import { SearchMemoryHandler } from './search-memory.js';

@Module({
  controllers: [SearchController],
  providers: [SearchAccess, SearchMemoryHandler],
})
export class SearchModule {}
