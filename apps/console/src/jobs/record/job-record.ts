import type {
  AccessOptions,
  CallOptions,
  CwmItem,
  JobEvent,
  JobKnew,
  JobStateAfter,
  JobTimeline,
  Json,
  WmEntry,
} from '#client/index.js';

/** An event of a record. An exported bundle does not know the event's position in the whole log. */
export type RecordEvent = Omit<JobEvent, 'position' | 'metadata'> & {
  readonly position?: string;
  readonly metadata: Readonly<Record<string, Json | undefined>>;
};

/** Where the number `from` of a question lies among the events that meet its conditions. */
export interface Matches {
  readonly count: number;
  readonly before: number;
  readonly previous: number | null;
  readonly next: number | null;
}

export interface EventsPage {
  readonly events: readonly RecordEvent[];
  readonly matches?: Matches;
}

/** Conditions on events; an event must meet all that are given. */
export interface Conditions {
  /** Types, separated by commas. */
  readonly types?: string;
  readonly kind?: 'input' | 'outcome';
  readonly from_tick?: number;
  readonly to_tick?: number;
  /** Words of the content; what stands between quotes is one. */
  readonly words?: string;
  /** The actor, or the beginning of its name. */
  readonly actor_name?: string;
}

export interface EventsAsked extends Conditions {
  readonly from?: number;
  readonly skip?: number;
  readonly limit?: number;
}

export type Timeline = Omit<JobTimeline, 'job_seed'>;

/** A job's entry, from the service or from a bundle. In a bundle, `sealed` replaces some values. */
type Recorded<Entry> = Omit<Entry, 'value'> & {
  readonly value?: Json;
  readonly sealed?: { readonly type: string };
};

export type RecordedWmEntry = Recorded<WmEntry>;
export type RecordedCwmItem = Recorded<CwmItem>;

export interface ShownState extends Pick<
  JobStateAfter,
  'status' | 'tick' | 'version' | 'episodes' | 'query'
> {
  readonly wm: readonly RecordedWmEntry[];
  readonly cwm: {
    readonly topic: string;
    readonly token_estimate: number;
    readonly items: readonly RecordedCwmItem[];
  };
}

/** A recorded job that can be moved through: one of the service, or an exported bundle. */
export interface JobRecord {
  /** The record's name in the console's cache. */
  readonly id: string;
  timeline(signal: AbortSignal): Promise<Timeline>;
  events(asked: EventsAsked, signal: AbortSignal): Promise<EventsPage>;
  stateAfter(number: number, signal: AbortSignal): Promise<ShownState>;
  plainEvent(number: number, signal: AbortSignal): Promise<string>;
  /** Returns what the job had read after an event, each fact with the value that it saw. A bundle does not have these values. */
  readonly valuesRead?: (number: number, signal: AbortSignal) => Promise<JobKnew['read']>;
  /** The service that has the record; undefined for a bundle. */
  readonly service?: {
    readonly seed: string;
    /** Returns the entries after one of the events, with their personal data (SPEC G7), which the service records. */
    readonly unredactedAfter?: (
      number: number,
      options: AccessOptions & CallOptions,
    ) => Promise<Json>;
  };
}
