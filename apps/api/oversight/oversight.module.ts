import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { GetAccessReceiptHandler } from './get-access-receipt.js';
import { ListAllConsentsHandler } from './list-all-consents.js';
import { ListAccessesHandler, ListRefusalsHandler } from './list-audit-entries.js';
import { OversightController } from './oversight.controller.js';
import { PersonStreams } from './person-streams.js';
import { UnredactedReadsList } from './unredacted-reads-list.js';

@Module({
  imports: [ReplayModule],
  controllers: [OversightController],
  providers: [
    GetAccessReceiptHandler,
    ListAccessesHandler,
    ListRefusalsHandler,
    ListAllConsentsHandler,
    UnredactedReadsList,
    PersonStreams,
  ],
  exports: [UnredactedReadsList],
})
export class OversightModule {}
