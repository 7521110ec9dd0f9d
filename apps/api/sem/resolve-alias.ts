import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import { userFor } from '#domain/ownership/access.js';
import { SemQueries } from '#projections/sem/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import { ResolvedAliasDto } from './fact-view.js';
import { FactPermissions } from './fact-permissions.js';
import { ROLES } from '#platform/auth/roles.js';
import { Text, UserIdText } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';

@Describes({
  summary: 'The key that a phrase refers to, or null',
  roles: { own: ROLES, of: 'user' },
  answers: [200, ResolvedAliasDto],
  reads: ['sem'],
})
export class ResolveAlias extends ReadRequest<Answer<ResolvedAliasDto>> {
  @Text({ max: 16_000 }) text!: string;
  @UserIdText({ optional: true }) user_id?: string;
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

  async execute({ actor, text, user_id }: ResolveAlias) {
    const alias = resolveAlias(text, userFor(actor, user_id) ?? undefined);
    if (alias === null) return Answer.read({ key: null }, true);
    if (!alias.only_if_exists) return Answer.read({ key: alias.key }, true);
    await this.permissions.requireRead(actor, alias.key);
    const isCurrent = await this.logEnd.isReached('sem');
    const { fact } = await this.facts.get(alias.key);
    return Answer.read({ key: fact === undefined ? null : alias.key }, isCurrent);
  }
}
