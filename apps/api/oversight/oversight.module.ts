import { Module } from '@nestjs/common';
import { ListAllConsentsHandler } from './list-all-consents.handler.js';
import { ListAccessesHandler, ListRefusalsHandler } from './list-audit-entries.handler.js';
import { OversightController } from './oversight.controller.js';

@Module({
  controllers: [OversightController],
  providers: [ListAccessesHandler, ListRefusalsHandler, ListAllConsentsHandler],
})
export class OversightModule {}
