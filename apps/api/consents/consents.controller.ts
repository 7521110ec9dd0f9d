import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { GiveConsent } from './give-consent.js';
import { ListConsents } from './list-consents.js';
import { RevokeConsent } from './revoke-consent.js';

@ApiTags('privacy')
@Controller('v1/consents')
export class ConsentsController extends RequestController {
  @Post()
  give(@Request() consent: GiveConsent) {
    return this.commands.execute(consent);
  }

  @Get()
  list(@Request() asked: ListConsents) {
    return this.queries.execute(asked);
  }

  @Post(':id/revocation')
  revoke(@Request() consent: RevokeConsent) {
    return this.commands.execute(consent);
  }
}
