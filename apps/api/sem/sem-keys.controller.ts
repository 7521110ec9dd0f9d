import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { ROLES } from '#platform/auth/roles.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { ClaimKey } from './claim-key.handler.js';
import { KeyDto, ResolvedAliasDto } from './dto/fact-view.dto.js';
import { ResolveAliasDto, SemKeyDto } from './dto/sem-key.dto.js';
import { ResolveAlias } from './resolve-alias.handler.js';

@ApiTags('sem')
@Controller('v1')
export class SemKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('sem-keys')
  @Roles({ own: ROLES, of: 'user' })
  @Answers(200, KeyDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({
    summary:
      'Generate the canonical key of a title, and claim it if the caller may write it (SPEC K3, K4)',
  })
  async claim(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: SemKeyDto,
  ) {
    const { position, ...answer } = await this.commands.execute(
      new ClaimKey(actor, body, identity),
    );
    return Answer.written(answer, position);
  }

  @Post('sem-aliases/resolve')
  @ReadsFrom('sem')
  @Roles({ own: ROLES, of: 'user' })
  @Answers(200, ResolvedAliasDto)
  @ApiOperation({ summary: 'The key that a phrase refers to, or null (SPEC K5)' })
  resolve(@Caller() actor: Actor, @Body() body: ResolveAliasDto) {
    return this.queries.execute(new ResolveAlias(actor, body));
  }
}
