import { Inject, Injectable } from '@nestjs/common';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { sourcesIn } from '#domain/action-request/source-events.js';
import {
  firstHiddenIn,
  seesReviewWork,
  seesVotesOfRow,
} from '#domain/action-request/vote-sight.js';
import { requestView, valuesOf } from '#domain/action-request/view.js';
import type { Json } from '#domain/json.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { mayRead } from '#domain/sem/access.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import {
  type EventStore,
  EventStoreUnavailable,
  type LoggedEvent,
} from '#event-store/event-store.js';
import type { ListedRequest } from '#projections/action-requests/queries.js';
import { type Fact, SemQueries } from '#projections/sem/queries.js';
import { EVENT_STORE } from '../../platform/tokens.js';
import { SealedValues } from '../../privacy/sealed-values.js';
import { sourceEventOf } from '../evidence/source-events.js';

const NO_FACTS: ReadonlyMap<string, Fact> = new Map();

/** Shows requests. A sealed value is redacted, unless its reading is recorded (SPEC P3, G7). */
@Injectable()
export class ShownRequests {
  constructor(
    private readonly values: SealedValues,
    private readonly facts: SemQueries,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
  ) {}

  /**
   * @param mayOpen true if the caller may see the sealed value
   * @param to the number of the last event that the state has
   */
  async of(
    viewer: Actor,
    state: ActionRequestState,
    { mayOpen = false, to = Infinity }: { readonly mayOpen?: boolean; readonly to?: number } = {},
  ): Promise<Json> {
    const shown = valuesOf(state).map((held) => this.values.shown(held, mayOpen));
    const [values, sources] = await Promise.all([
      Promise.all(shown),
      this.sourcesOf(viewer, state, to),
    ]);
    return requestView(state, {
      viewer,
      shown: values,
      ...(sources === undefined ? {} : { sources }),
    });
  }

  /**
   * Returns the events of a request; undefined if they cannot be read now, because the answer to a vote that is
   * recorded already is right without them. An event whose hash covers what is hidden is null.
   */
  private async sourcesOf(viewer: Actor, state: ActionRequestState, to: number) {
    const events: LoggedEvent[] = [];
    try {
      for await (const event of readRecorded(this.eventStore, state.stream, { to }))
        events.push(event);
    } catch (cause) {
      if (cause instanceof EventStoreUnavailable) return undefined;
      throw cause;
    }
    const shownBefore = firstHiddenIn(viewer, state, events);
    return sourcesIn(events, (event) => (event.number < shownBefore ? sourceEventOf(event) : null));
  }

  /**
   * Shows rows of the list; their risk only to those who read every request. @param position that of the rows; undefined for
   * the present
   */
  async rows(viewer: Actor, listed: readonly ListedRequest[], position?: bigint) {
    const keys = listed.flatMap(({ target_sem_key: key }) =>
      key !== null && mayRead(viewer, key) ? [key] : [],
    );
    const facts = keys.length === 0 ? NO_FACTS : await this.factsOf([...new Set(keys)], position);
    return Promise.all(
      listed.map(async (row) => ({
        ...(await this.row(viewer, row)),
        present: await this.present(facts.get(row.target_sem_key ?? '')),
      })),
    );
  }

  private async factsOf(keys: readonly string[], position: bigint | undefined) {
    return position === undefined
      ? this.facts.getMany(keys)
      : this.facts.getManyAtCount(keys, await this.facts.countAt(position));
  }

  private async present(fact: Fact | undefined) {
    if (fact === undefined) return null;
    return { value: await this.values.shown(fact.held, false), version: fact.revision };
  }

  private async row(viewer: Actor, listed: ListedRequest) {
    const { held, place: _, last_position: _last, finding_category: _category, ...row } = listed;
    const seesAll = readsEveryOwner(viewer);
    const risk = seesAll ? row.risk : null;
    const votes_counted = seesVotesOfRow(viewer, row) ? row.votes_counted : null;
    const assigned_to = seesReviewWork(viewer, row) ? row.assigned_to : null;
    return {
      ...row,
      votes_counted,
      risk,
      assigned_to,
      value: await this.values.shown(held, false),
    };
  }
}
