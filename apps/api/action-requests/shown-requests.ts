import { Injectable } from '@nestjs/common';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { requestView, valuesOf } from '#domain/action-request/view.js';
import type { Json } from '#domain/json.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ListedRequest } from '#projections/action-requests/queries.js';
import { SealedValues } from '../privacy/sealed-values.js';
import { Viewers } from './viewers.js';

/** Shows requests. A sealed value is redacted, unless its reading is recorded (SPEC P3, G7). */
@Injectable()
export class ShownRequests {
  constructor(
    private readonly values: SealedValues,
    private readonly viewers: Viewers,
  ) {}

  /** @param mayOpen true if the caller may see the sealed value */
  async of(viewer: Actor, state: ActionRequestState, mayOpen = false): Promise<Json> {
    const shown = valuesOf(state).map((held) => this.values.shown(held, mayOpen));
    return requestView(state, { viewer, shown: await Promise.all(shown) });
  }

  /** Shows a row of the list; its risk only to those who read every request. */
  async row(viewer: Actor, listed: ListedRequest) {
    const { held, place: _, job_seed: _job, finding_category: _category, ...row } = listed;
    const seesAll = readsEveryOwner(viewer);
    const risk = seesAll ? row.risk : null;
    const viewers = seesAll ? this.viewers.of(row.request_id) : [];
    return { ...row, risk, viewers, value: await this.values.shown(held, false) };
  }
}
