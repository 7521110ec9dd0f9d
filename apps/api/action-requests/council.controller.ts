import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { GetDossier } from './read/get-dossier.js';
import { GetFigures } from './read/get-figures.js';
import { GetReceipt } from './read/get-receipt.js';
import { RecheckRequests } from './recheck/recheck-requests.js';
import { ApproveMany, RejectMany } from './vote/vote-on-many.js';

@ApiTags('action-requests')
@Controller('v1/action-requests')
export class CouncilController extends RequestController {
  @Get('figures')
  figures(@Request() asked: GetFigures) {
    return this.queries.execute(asked);
  }

  @Post('rechecks')
  recheck(@Request() asked: RecheckRequests) {
    return this.queries.execute(asked);
  }

  @Get(':id/dossier')
  dossier(@Request() asked: GetDossier) {
    return this.queries.execute(asked);
  }

  @Get(':id/receipts/:number')
  receipt(@Request() asked: GetReceipt) {
    return this.queries.execute(asked);
  }

  @Post('rejections')
  reject(@Request() votes: RejectMany) {
    return this.commands.execute(votes);
  }

  @Post('approvals')
  approve(@Request() votes: ApproveMany) {
    return this.commands.execute(votes);
  }
}
