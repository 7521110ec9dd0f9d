import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { canonicalPrefix } from '#domain/canonical-key/canonical-key.js';
import { SemQueries } from '#projections/sem/queries.js';
import { Answer } from '../platform/http/answer.js';
import { Moments } from '../moments/moments.js';
import { LogEnd } from '../platform/log-end.js';
import { FactsPageDto } from './fact-view.js';
import { FactPermissions } from './fact-permissions.js';
import { ShownFacts } from './shown-facts.js';
import { readersOf } from '../platform/auth/roles.js';
import { At } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { FactsRead } from './fact-fields.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 100;
/**
 * An entity id that occurs in no key. A search for this id returns none of the facts that belong to
 * users.
 */
const NO_ENTITY = '';

@Describes({
  summary: 'The facts under a prefix that the caller may read, in pages',
  roles: readersOf('user'),
  answers: [200, FactsPageDto],
  reads: ['sem'],
})
export class SearchFacts extends FactsRead<Answer<FactsPageDto>> {
  @At() at?: string;
}

@QueryHandler(SearchFacts)
export class SearchFactsHandler implements IQueryHandler<SearchFacts> {
  constructor(
    private readonly facts: SemQueries,
    private readonly permissions: FactPermissions,
    private readonly logEnd: LogEnd,
    private readonly shown: ShownFacts,
    private readonly moments: Moments,
  ) {}

  async execute(search: SearchFacts): Promise<Answer<FactsPageDto>> {
    const { actor, user_id, cursor = '', limit = DEFAULT_PAGE } = search;
    const prefix = canonicalPrefix(search.prefix ?? '');
    const user = await this.permissions.listedUser(actor, prefix, user_id);
    const position = await this.moments.positionAt(search.at, 'sem');
    const isCurrent = position !== undefined || (await this.logEnd.isReached('sem'));
    const found = await this.facts.search({
      prefix,
      after: cursor,
      limit: limit + 1,
      position,
      ...(user === undefined ? {} : { userEntityId: user ?? NO_ENTITY }),
    });
    const { rows, next_cursor } = pageOf(found, limit, ({ key }) => key);
    const facts = await this.shown.page(actor, rows);
    return Answer.asOf({ facts, next_cursor }, position, isCurrent);
  }
}
