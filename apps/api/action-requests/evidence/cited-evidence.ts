import { Injectable } from '@nestjs/common';
import type { CheckedRequest, CitedState } from '#domain/action-request/recheck.js';
import { citedEpisodes } from '#domain/action-request/risk.js';
import { isSealed, type Sealed } from '#domain/held.js';
import type { Json, JsonObject } from '#domain/json.js';
import { inParallel } from '#platform/in-parallel.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { type Episode, EpisodeQueries } from '#projections/episodes/queries.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { SourceEvents, sourceEventOf } from './source-events.js';
import { eventNamedIn, isAsNamed } from './named-event.js';
import type { SourceEventDto } from '../action-request-view.js';

/** An entry of the evidence with what was found of it. */
export interface FoundEvidence {
  readonly entry: JsonObject;
  readonly state: CitedState;
  readonly summary: string | null;
  readonly source_event: SourceEventDto | null;
}

/** The episode of a request with its event. */
export interface FoundEpisode {
  readonly episode: Episode | undefined;
  readonly state: CitedState;
  readonly source_event: SourceEventDto | null;
}

/** The episode of a request and the entries of its evidence, each with what was found of it. */
export interface FoundCitations {
  readonly episode: FoundEpisode | null;
  readonly evidence: readonly FoundEvidence[];
}

/** The episodes and events that several requests share, each read once. */
interface Lookup {
  readonly episodes: ReadonlyMap<string, Episode>;
  readonly eventAt: (stream: string, number: number) => Promise<LoggedEvent | undefined>;
}

type Citing = Pick<CheckedRequest, 'episodic_id' | 'evidence'>;

/** The number of requests, and of the entries of each, that are looked up at the same time. */
const AT_ONCE = 16;

/** Looks up what a request cites: its episode, and the episodes, notes and events that its evidence names. */
@Injectable()
export class CitedEvidence {
  constructor(
    private readonly episodes: EpisodeQueries,
    private readonly events: SourceEvents,
    private readonly keys: SubjectKeys,
  ) {}

  /** Returns the episode and the entries, in their order. Fails with `PostgresUnavailable` and as `SourceEvents` does. */
  async of(request: Citing): Promise<FoundCitations> {
    return this.lookUp(request, await this.lookupFor([request]));
  }

  /** Does this for several requests, and returns the results in their order. A shared event is read once. */
  async ofMany(requests: readonly Citing[]): Promise<readonly FoundCitations[]> {
    const lookup = await this.lookupFor(requests);
    return inParallel(requests, AT_ONCE, (request) => this.lookUp(request, lookup));
  }

  private async lookupFor(requests: readonly Citing[]): Promise<Lookup> {
    const found = await this.episodes.byIds([...new Set(requests.flatMap(citedEpisodes))]);
    const reads = new Map<string, Promise<LoggedEvent | undefined>>();
    return {
      episodes: new Map(found.map((episode) => [episode.episodic_id, episode])),
      eventAt: (stream, number) => {
        const name = `${number} ${stream}`;
        const read = reads.get(name) ?? this.events.at(stream, number);
        reads.set(name, read);
        return read;
      },
    };
  }

  private async lookUp(request: Citing, lookup: Lookup): Promise<FoundCitations> {
    const evidence = await inParallel(request.evidence, AT_ONCE, (entry) =>
      this.entry(entry, lookup),
    );
    const { episodic_id: id } = request;
    const episode = id === null ? null : await this.episode(lookup.episodes.get(id), lookup);
    return { episode, evidence };
  }

  private async episode(episode: Episode | undefined, { eventAt }: Lookup): Promise<FoundEpisode> {
    if (episode === undefined) return { episode, state: 'missing', source_event: null };
    const { sealed_payload: sealed, stream, number } = episode;
    const event = await eventAt(stream, number);
    if (event === undefined) return { episode, state: 'missing', source_event: null };
    const isErased = sealed !== null && (await this.keys.isErased(sealed));
    return {
      episode,
      state: isErased ? 'erased' : 'present',
      source_event: sourceEventOf(event),
    };
  }

  private async entry(entry: JsonObject, lookup: Lookup): Promise<FoundEvidence> {
    const { episodic_id: id } = entry;
    if (typeof id === 'string') {
      const { state, source_event, episode } = await this.episode(lookup.episodes.get(id), lookup);
      return { entry, state, summary: episode?.summary ?? null, source_event };
    }
    const named = eventNamedIn(entry);
    if (named === undefined) return { entry, state: 'none', summary: null, source_event: null };
    const event = await lookup.eventAt(named.stream, named.number);
    if (event === undefined || !isAsNamed(event, named))
      return { entry, state: 'missing', summary: null, source_event: null };
    const state = (await this.isErased(event)) ? 'erased' : 'present';
    return { entry, state, summary: null, source_event: sourceEventOf(event) };
  }

  private async isErased({ data }: LoggedEvent): Promise<boolean> {
    const held = data as { readonly value: Json } | { readonly sealed: Sealed };
    return isSealed(held) && this.keys.isErased(held.sealed);
  }
}
