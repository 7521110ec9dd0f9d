import { Module } from '@nestjs/common';
import { ConsentsController } from './consents.controller.js';
import { GiveConsentHandler } from './give-consent.js';
import { ListConsentsHandler } from './list-consents.js';
import { RevokeConsentHandler } from './revoke-consent.js';

@Module({
  controllers: [ConsentsController],
  providers: [GiveConsentHandler, ListConsentsHandler, RevokeConsentHandler],
})
export class ConsentsModule {}
