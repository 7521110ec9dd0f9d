import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import { userFor } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { SemQueries } from '#projections/sem/queries.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Answer } from '../platform/http/answer.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { LogEnd } from '../platform/log-end.js';
import { ClaimKey } from './claim-key.handler.js';
import { ResolveAliasDto, SemKeyDto } from './dto/sem-key.dto.js';
import { FactPermissions } from './fact-permissions.js';

@ApiTags('sem')
@Controller('v1')
export class SemKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: SemQueries,
    private readonly permissions: FactPermissions,
    private readonly logEnd: LogEnd,
  ) {}

  @Post('sem-keys')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The canonical key of a title, claimed for it where allowed (SPEC K3, K4)',
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
  @HttpCode(200)
  @ApiOperation({ summary: 'The key that a phrase speaks of, or null (SPEC K5)' })
  async resolve(@Caller() actor: Actor, @Body() { text, user_id }: ResolveAliasDto) {
    const alias = resolveAlias(text, userFor(actor, user_id) ?? undefined);
    if (alias === null) return { key: null };
    if (!alias.only_if_exists) return { key: alias.key };
    await this.permissions.toRead(actor, alias.key);
    const isCurrent = await this.logEnd.isReached('sem');
    const { fact } = await this.queries.get(alias.key);
    const answer = { key: fact === undefined ? null : alias.key };
    return isCurrent ? answer : Answer.stale(answer);
  }
}
