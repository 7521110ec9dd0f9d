import { Inject, Injectable } from '@nestjs/common';
import { LruMap, stringBytes } from '#bounded/lru-map.js';
import { containsText, firstAtOrAfter, wantedTexts } from '#domain/job/event-matches.js';
import type { EventConditions } from '#domain/job/timeline.js';
import { jobStream } from '#domain/stream-names.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { EVENT_STORE } from '../../platform/tokens.js';
import { JobTimelines, type SearchableTimeline } from './job-timelines.js';

/** Conditions on events. @see EventConditions */
export interface EventSearch extends EventConditions {
  /** The event's type, data or a value of its metadata contain this text; upper and lower case are the same. */
  readonly text?: string | undefined;
  /** The same of each of these words; what stands between quotes is one. */
  readonly words?: string | undefined;
}

/** The events up to `upTo` that contain a text. */
interface Found {
  /** The timeline can be dropped from memory before this. */
  readonly timeline: WeakRef<SearchableTimeline>;
  readonly upTo: number;
  readonly numbers: readonly number[];
}

const MAX_BYTES = 32 * 1024 * 1024;
const NUMBER_BYTES = 8;

/** Finds the events of a job that meet conditions. The results of the last searches for texts are kept. */
@Injectable()
export class EventMatches {
  private readonly found = new LruMap<string, Found>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ numbers }, key) => stringBytes(key) + NUMBER_BYTES * numbers.length,
  });

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly timelines: JobTimelines,
  ) {}

  /** Returns the numbers of the events that meet the conditions, ascending. */
  async of(seed: string, { text, words, ...conditions }: EventSearch): Promise<readonly number[]> {
    const timeline = await this.timelines.of(seed);
    let numbers: readonly number[] = timeline.matching(conditions);
    const texts = new Set([
      ...(text === undefined ? [] : [text.toLowerCase()]),
      ...wantedTexts(words ?? ''),
    ]);
    for (const wanted of texts) {
      const containing = new Set(await this.containing(seed, timeline, wanted));
      numbers = numbers.filter((number) => containing.has(number));
    }
    return numbers;
  }

  private async containing(
    seed: string,
    timeline: SearchableTimeline,
    lower: string,
  ): Promise<readonly number[]> {
    const key = `${seed} ${lower}`;
    const before = this.found.get(key);
    const known = before?.timeline.deref() === timeline ? before : undefined;
    const { version } = timeline;
    const from = (known?.upTo ?? -1) + 1;
    const numbers = [...(known?.numbers ?? []), ...timeline.text.containing(lower, from)];
    // The log is read only for what lies beyond the texts in memory.
    const range = { from: Math.max(from, timeline.text.upTo + 1), to: version };
    if (range.from <= version)
      for await (const event of readRecorded(this.eventStore, jobStream(seed), range))
        if (containsText(event, lower)) numbers.push(event.number);
    this.found.set(key, { timeline: new WeakRef(timeline), upTo: version, numbers });
    return numbers;
  }
}

/** Returns the matches of a page: those from number `from` on, without the first `skip`, at most `limit`. */
export function pageOf(
  matches: readonly number[],
  { from, skip, limit }: { readonly from: number; readonly skip: number; readonly limit: number },
): readonly number[] {
  const first = firstAtOrAfter(matches, from) + skip;
  return matches.slice(first, first + limit);
}
