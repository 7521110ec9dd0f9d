import { Injectable } from '@nestjs/common';
import type { AdminAccess } from '#domain/audit/events.js';
import { OversightQueries } from '#projections/oversight/queries.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import { entryOf } from './audit-page.js';
import type { AdminAccessesPageDto } from './oversight-view.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 50;

/** Which reads of personal data to list. */
interface AccessFilter {
  readonly sub?: string;
  readonly stream?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** Lists the reads of personal data, by all readers or by one, of all streams or of one (SPEC G7). */
@Injectable()
export class UnredactedReadsList {
  constructor(
    private readonly oversight: OversightQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async page(filter: AccessFilter): Promise<Answer<AdminAccessesPageDto>> {
    const isCurrent = await this.logEnd.isReached('oversight');
    const { sub, stream: about, cursor: before, limit = DEFAULT_PAGE } = filter;
    const asked = { type: 'admin_access_event', sub, about, before, limit: limit + 1 } as const;
    const found = await this.oversight.entries(asked);
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    const accesses = rows.map((row) => {
      const { redactions: _, reason = null, ...access } = entryOf<AdminAccess>(row);
      return { ...access, reason };
    });
    return Answer.read({ accesses, next_cursor }, isCurrent);
  }
}
