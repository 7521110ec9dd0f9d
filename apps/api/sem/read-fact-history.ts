import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { missing } from '#domain/sem/decide.js';
import { FactHistoryDto } from './fact-history-view.js';
import { FactEvents } from './fact-events.js';
import { FactPermissions } from './fact-permissions.js';
import { Moments } from '../moments/moments.js';
import { readersOf } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { At, EventNumber, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { EXAMPLE_KEY, FactKey } from './fact-fields.js';

const DEFAULT_PAGE = 20;

@Describes({
  summary:
    'The events of a fact, newest first: who wrote what, when, and by which request (S3, X3)',
  roles: readersOf('user'),
  path: EXAMPLE_KEY,
  answers: [200, FactHistoryDto],
  fails: ['SEM_NOT_FOUND'],
})
export class ReadFactHistory extends ReadRequest<Answer<FactHistoryDto>> {
  @FactKey() readonly key!: string;

  @EventNumber({ optional: true, description: 'The next_before of the previous page.' })
  before?: number;

  @At() at?: string;

  @Whole({ optional: true, min: 1, max: 100, description: 'The events in a page; default: 20.' })
  limit?: number;
}

@QueryHandler(ReadFactHistory)
export class ReadFactHistoryHandler implements IQueryHandler<ReadFactHistory> {
  constructor(
    private readonly events: FactEvents,
    private readonly permissions: FactPermissions,
    private readonly moments: Moments,
  ) {}

  async execute(asked: ReadFactHistory): Promise<Answer<FactHistoryDto>> {
    const { actor, key } = asked;
    await this.permissions.requireRead(actor, key);
    const asOf = await this.moments.positionAt(asked.at);
    const last = await this.events.lastNumber(key, asOf);
    if (last < 0) throw missing(key);
    const { before = last + 1, limit = DEFAULT_PAGE } = asked;
    const to = Math.min(before - 1, last);
    const from = Math.max(0, to - limit + 1);
    const events = to < 0 ? [] : await this.events.between(actor, key, from, to);
    return Answer.asOf({ key, events, next_before: from > 0 ? from : null }, asOf);
  }
}
