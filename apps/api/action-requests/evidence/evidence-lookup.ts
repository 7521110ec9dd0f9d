import { Injectable } from '@nestjs/common';
import type { LookedUp } from '#domain/action-request/events.js';
import { lookedUp } from '#domain/action-request/proposal.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { inParallel } from '#platform/in-parallel.js';
import { EpisodeAccess } from '../../episodes/episode-access.js';
import { eventNamedIn, isAsNamed } from './named-event.js';
import { SourceEvents } from './source-events.js';

/** The number of events that are looked up at the same time. */
const AT_ONCE = 16;

/** Looks up what the evidence of a proposal names, as its event records it. */
@Injectable()
export class EvidenceLookup {
  constructor(
    private readonly episodes: EpisodeAccess,
    private readonly events: SourceEvents,
  ) {}

  /**
   * Returns the entries whose episode, note or event does not exist, or whose episode the proposer may not read. Fails with
   * `PostgresUnavailable` and as `SourceEvents` does.
   */
  async of(actor: Actor, evidence: readonly JsonObject[]): Promise<LookedUp> {
    const ids = evidence
      .map(({ episodic_id }) => episodic_id)
      .filter((id) => typeof id === 'string');
    const episodes = await this.episodes.found(actor, [...new Set(ids)]);
    const events = new Map<string, Promise<boolean>>();
    const isFound = await inParallel(evidence, AT_ONCE, (entry) => {
      const { episodic_id: id } = entry;
      if (typeof id === 'string') return Promise.resolve(episodes.has(id));
      return this.hasEvent(entry, events);
    });
    return lookedUp(isFound.flatMap((found, at) => (found ? [] : [at])));
  }

  /** True if the event that an entry names exists, also if it names none. @param known the events that were looked up */
  private async hasEvent(
    entry: JsonObject,
    known: Map<string, Promise<boolean>>,
  ): Promise<boolean> {
    const named = eventNamedIn(entry);
    if (named === undefined) return true;
    const name = JSON.stringify(named);
    const reading =
      known.get(name) ??
      this.events
        .at(named.stream, named.number)
        .then((event) => event !== undefined && isAsNamed(event, named));
    known.set(name, reading);
    return reading;
  }
}
