import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { canonicalPrefix } from '#domain/canonical-key/canonical-key.js';
import type { Actor } from '#domain/recorded-event.js';
import { SemQueries } from '#projections/sem/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import type { SearchFactsQuery } from './dto/fact.dto.js';
import type { FactsPageDto } from './dto/fact-view.dto.js';
import { FactPermissions } from './fact-permissions.js';
import { ShownFacts } from './shown-facts.js';

const DEFAULT_PAGE = 100;
/**
 * An entity id that occurs in no key. A search for this id returns none of the facts that belong to
 * users.
 */
const NO_ENTITY = '';

export class SearchFacts extends Query<Answer<FactsPageDto>> {
  constructor(
    readonly actor: Actor,
    readonly search: SearchFactsQuery,
  ) {
    super();
  }
}

/** Lists the facts under a prefix, as far as the caller may read them (SPEC S1). */
@QueryHandler(SearchFacts)
export class SearchFactsHandler implements IQueryHandler<SearchFacts> {
  constructor(
    private readonly facts: SemQueries,
    private readonly permissions: FactPermissions,
    private readonly logEnd: LogEnd,
    private readonly shown: ShownFacts,
  ) {}

  async execute({ actor, search }: SearchFacts): Promise<Answer<FactsPageDto>> {
    const { cursor = '', limit = DEFAULT_PAGE } = search;
    const prefix = canonicalPrefix(search.prefix ?? '');
    const user = await this.permissions.listedUser(actor, { ...search, prefix });
    const isCurrent = await this.logEnd.isReached('sem');
    const facts = await this.facts.search({
      prefix,
      after: cursor,
      limit: limit + 1,
      ...(user === undefined ? {} : { userEntityId: user ?? NO_ENTITY }),
    });
    const page = facts.slice(0, limit);
    const answer = {
      facts: await this.shown.page(actor, page),
      next_cursor: facts.length > limit ? (page.at(-1)?.key ?? null) : null,
    };
    return Answer.read(answer, isCurrent);
  }
}
