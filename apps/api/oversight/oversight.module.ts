import { Module } from '@nestjs/common';
import { ListAllConsentsHandler } from './list-all-consents.js';
import { ListAccessesHandler, ListRefusalsHandler } from './list-audit-entries.js';
import { OversightController } from './oversight.controller.js';
import { PersonStreams } from './person-streams.js';
import { UnredactedReadsList } from './unredacted-reads-list.js';

@Module({
  controllers: [OversightController],
  providers: [
    ListAccessesHandler,
    ListRefusalsHandler,
    ListAllConsentsHandler,
    UnredactedReadsList,
    PersonStreams,
  ],
  exports: [UnredactedReadsList],
})
export class OversightModule {}
