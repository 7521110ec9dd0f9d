import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { EmptyDto } from '../platform/http/empty.dto.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ConsentDto, ConsentPath, ConsentsDto, GiveConsentDto } from './dto/consent.dto.js';
import { GiveConsent } from './give-consent.handler.js';
import { ListConsents } from './list-consents.handler.js';
import { RevokeConsent } from './revoke-consent.handler.js';

@ApiTags('privacy')
@Controller('v1/consents')
export class ConsentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Roles({ own: ['user', 'agent'], of: 'self' })
  @Answers(201, ConsentDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({
    summary: 'Give the token’s user’s consent to keep personal data, always sealed (SPEC P4)',
  })
  async give(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: GiveConsentDto,
  ) {
    const { results, position } = await this.commands.execute(
      new GiveConsent(actor, body, identity),
    );
    return Answer.written(results[0], position);
  }

  @Get()
  @Roles({ own: ['user', 'agent'], of: 'self' })
  @Answers(200, ConsentsDto)
  @ApiOperation({ summary: 'The consents of the token’s user (SPEC P4)' })
  list(@Caller() actor: Actor) {
    return this.queries.execute(new ListConsents(actor));
  }

  @Post(':id/revocation')
  @Roles({ own: ['user', 'agent'], of: 'self' })
  @Answers(200, ConsentDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'Revoke a consent; later writes cannot rely on it (SPEC P4)' })
  revoke(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ConsentPath,
    @Body() _body: EmptyDto,
  ) {
    return this.commands.execute(new RevokeConsent(actor, id, identity));
  }
}
