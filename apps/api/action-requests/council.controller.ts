import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { ActionRequestPath } from './dto/action-request.dto.js';
import { DossierDto } from './dto/dossier.dto.js';
import { GetDossier } from './get-dossier.handler.js';

/** What the council and its auditors read beside the requests themselves. */
const OVERSIGHT = { all: ['council', 'admin', 'auditor'], of: 'request' } as const;

@ApiTags('action-requests')
@Controller('v1/action-requests')
export class CouncilController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id/dossier')
  @ReadsFrom('action_requests', 'sem', 'episodes')
  @Roles(OVERSIGHT)
  @Answers(200, DossierDto)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary:
      'Everything to decide on one request: the present fact, evidence, risk, and what has changed',
  })
  dossier(@Caller() actor: Actor, @Param() { id }: ActionRequestPath) {
    return this.queries.execute(new GetDossier(actor, id));
  }
}
