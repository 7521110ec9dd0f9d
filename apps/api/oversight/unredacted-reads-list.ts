import { Injectable } from '@nestjs/common';
import type { AdminAccess } from '#domain/audit/events.js';
import { OversightQueries } from '#projections/oversight/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import { entryOf } from './audit-page.js';
import type { AdminAccessesPageDto } from './oversight-view.js';
import { PersonStreams } from './person-streams.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 50;

/** Which reads of personal data to list. */
interface AccessFilter {
  readonly sub?: string;
  readonly stream?: string;
  /** The person whose data was read. */
  readonly user_id?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** Lists the reads of personal data, by all readers or by one, of all streams, of one or of one person (SPEC G7). */
@Injectable()
export class UnredactedReadsList {
  constructor(
    private readonly oversight: OversightQueries,
    private readonly logEnd: LogEnd,
    private readonly persons: PersonStreams,
  ) {}

  /** @param asOf the position up to which to list them; undefined for the present */
  async page(filter: AccessFilter, asOf?: bigint): Promise<Answer<AdminAccessesPageDto>> {
    const isCurrent = await this.logEnd.isReached('oversight');
    const { sub, stream: about, user_id, cursor: before, limit = DEFAULT_PAGE } = filter;
    const person = user_id === undefined ? undefined : await this.persons.of(user_id, asOf);
    const found = await this.oversight.entries({
      ...{ type: 'admin_access_event', sub, about, person, before, asOf },
      limit: limit + 1,
    });
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    const accesses = rows.map((row) => {
      const { redactions: _, reason = null, ...access } = entryOf<AdminAccess>(row);
      return { ...access, reason };
    });
    return Answer.asOf({ accesses, next_cursor }, asOf, isCurrent);
  }
}
