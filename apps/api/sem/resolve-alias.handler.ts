import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import { userFor } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { SemQueries } from '#projections/sem/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import type { ResolvedAliasDto } from './dto/fact-view.dto.js';
import type { ResolveAliasDto } from './dto/sem-key.dto.js';
import { FactPermissions } from './fact-permissions.js';

export class ResolveAlias extends Query<Answer<ResolvedAliasDto>> {
  constructor(
    readonly actor: Actor,
    readonly body: ResolveAliasDto,
  ) {
    super();
  }
}

/**
 * Resolves a phrase to a key (SPEC K5). Some phrases refer to a key only if a fact is stored under it.
 */
@QueryHandler(ResolveAlias)
export class ResolveAliasHandler implements IQueryHandler<ResolveAlias> {
  constructor(
    private readonly facts: SemQueries,
    private readonly permissions: FactPermissions,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ actor, body: { text, user_id } }: ResolveAlias) {
    const alias = resolveAlias(text, userFor(actor, user_id) ?? undefined);
    if (alias === null) return Answer.read({ key: null }, true);
    if (!alias.only_if_exists) return Answer.read({ key: alias.key }, true);
    await this.permissions.requireRead(actor, alias.key);
    const isCurrent = await this.logEnd.isReached('sem');
    const { fact } = await this.facts.get(alias.key);
    return Answer.read({ key: fact === undefined ? null : alias.key }, isCurrent);
  }
}
