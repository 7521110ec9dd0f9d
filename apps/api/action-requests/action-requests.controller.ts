import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { AnswerQuestion, Ask, Revise } from './propose/add-to-request.js';
import { Propose } from './propose/propose.js';
import { GetActionRequest } from './read/get-action-request.js';
import { ListActionRequests } from './read/list-action-requests.js';
import { CastVote } from './vote/cast-vote.js';

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

  @Post(':id/questions')
  ask(@Request() question: Ask) {
    return this.commands.execute(question);
  }

  @Post(':id/answers')
  answer(@Request() answer: AnswerQuestion) {
    return this.commands.execute(answer);
  }
}
