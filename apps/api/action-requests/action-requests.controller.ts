import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ClearSpan } from './clear/clear-span.js';
import {
  AddComment,
  AnswerQuestion,
  Ask,
  Assign,
  Revise,
  Snooze,
} from './propose/add-to-request.js';
import { Propose } from './propose/propose.js';
import { GetActionRequest } from './read/get-action-request.js';
import { ListActionRequests } from './read/list-action-requests.js';
import { CastVote } from './vote/cast-vote.js';
import { GetDossier } from './dossier/get-dossier.js';
import { GetFigures } from './read/get-figures.js';
import { GetReceipt } from './read/get-receipt.js';
import { RecheckRequests } from './recheck/recheck-requests.js';
import { ApproveMany, RejectMany } from './vote/vote-on-many.js';

@ApiTags('action-requests')
@Controller('v1/action-requests')
export class ActionRequestsController extends RequestController {
  @Post()
  propose(@Request() proposal: Propose) {
    return this.commands.execute(proposal);
  }

  @Get()
  list(@Request() asked: ListActionRequests) {
    return this.queries.execute(asked);
  }

  @Get(':id')
  get(@Request() asked: GetActionRequest) {
    return this.queries.execute(asked);
  }

  @Post(':id/votes')
  vote(@Request() vote: CastVote) {
    return this.commands.execute(vote);
  }

  @Post(':id/revisions')
  revise(@Request() revision: Revise) {
    return this.commands.execute(revision);
  }

  @Post(':id/clearances')
  clear(@Request() clearance: ClearSpan) {
    return this.commands.execute(clearance);
  }

  @Post(':id/questions')
  ask(@Request() question: Ask) {
    return this.commands.execute(question);
  }

  @Post(':id/answers')
  answer(@Request() answer: AnswerQuestion) {
    return this.commands.execute(answer);
  }

  @Post(':id/assignments')
  assign(@Request() assignment: Assign) {
    return this.commands.execute(assignment);
  }

  @Post(':id/comments')
  comment(@Request() comment: AddComment) {
    return this.commands.execute(comment);
  }

  @Post(':id/snoozes')
  snooze(@Request() snooze: Snooze) {
    return this.commands.execute(snooze);
  }
}

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
