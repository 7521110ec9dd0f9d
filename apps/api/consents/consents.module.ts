import { Module } from '@nestjs/common';
import { ConsentsController } from './consents.controller.js';
import { GiveConsentHandler } from './give-consent.handler.js';
import { ListConsentsHandler } from './list-consents.handler.js';
import { RevokeConsentHandler } from './revoke-consent.handler.js';

@Module({
  controllers: [ConsentsController],
  providers: [GiveConsentHandler, ListConsentsHandler, RevokeConsentHandler],
})
export class ConsentsModule {}
