import { Injectable } from '@nestjs/common';
import { wouldBeRefused } from '#domain/action-request/recheck.js';
import {
  type ActionRequestFilter,
  ActionRequestQueries,
  type ListedRequest,
  type QueuePlace,
} from '#projections/action-requests/queries.js';
import { QueueRecheck } from './queue-recheck.js';

/** So many requests are checked again at a time, and for one page at most. */
const CHUNK = 50;
const MAX_CHECKED = 500;

/** A page of requests; the next one goes on after a place, which may be beyond the last request of this page. */
export interface ScannedPage {
  readonly rows: readonly ListedRequest[];
  readonly next: QueuePlace | undefined;
}

/** Lists the waiting requests whose approval would be refused now, or the others. No table knows which these are. */
@Injectable()
export class RefusedRequestsScan {
  constructor(
    private readonly requests: ActionRequestQueries,
    private readonly checks: QueueRecheck,
  ) {}

  /** Returns a page that ends early if too many requests had to be checked for it. */
  async page(filter: ActionRequestFilter, isRefused: boolean): Promise<ScannedPage> {
    const rows: ListedRequest[] = [];
    let after = filter.after;
    for (let checked = 0; checked < MAX_CHECKED; checked += CHUNK) {
      const place = after === undefined ? {} : { after };
      const read = await this.requests.list({ ...filter, ...place, limit: CHUNK + 1 });
      const chunk = read.slice(0, CHUNK);
      // A list has only the first entries of the evidence.
      const whole = await this.requests.byIds(chunk.map(({ request_id }) => request_id));
      const findings = await this.checks.of(whole);
      for (const row of chunk) {
        if (rows.length === filter.limit) return { rows, next: after };
        after = row.place;
        if (wouldBeRefused(findings.get(row.request_id) ?? []) === isRefused) rows.push(row);
      }
      if (read.length <= CHUNK) return { rows, next: undefined };
    }
    return { rows, next: after };
  }
}
