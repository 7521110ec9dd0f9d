import { LruMap } from '#bounded/lru-map.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JobEvent } from '#domain/job/events.js';
import { type JobState } from '#domain/job/state.js';
import { JobTimeline } from '#domain/job/timeline.js';
import { jobStream } from '#domain/stream-names.js';
import { upcast } from '#domain/upcast.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import { BEFORE_FIRST, verifyLink } from '#event-store/codec.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { Turns } from '#event-store/turns.js';
import { versionAhead } from '../../platform/state-at-version.js';
import { JobText } from './job-text.js';

const MAX_BYTES = 192 * 1024 * 1024;
/** The approximate size of a timeline without its characters. */
const TIMELINE_BYTES = 5_000;

/**
 * A timeline with the texts of its events, and with the hash of the last one, by which a log that has changed since is
 * noticed. The log has to be read as a whole for a timeline, so the texts cost no further read.
 */
class ReadTimeline extends JobTimeline {
  readonly text: JobText;
  head: { readonly number: number; readonly hash: string } = BEFORE_FIRST;

  constructor(stream: string, maxTextCharacters?: number) {
    super(stream);
    this.text = new JobText(maxTextCharacters);
  }

  override get size(): number {
    return super.size + this.text.size;
  }

  read(event: LoggedEvent): void {
    this.text.add(event);
    this.add(event, this.break === undefined ? linkFailure(this.head, event) : undefined);
    this.head = { number: event.number, hash: event.metadata.hash };
  }
}

/**
 * The timelines of the jobs that were read last. A job is read once as a whole; after that, each of its states
 * takes the reading of a few events. The chain is verified (SPEC I6): no state is shown from a broken event on.
 */
export class JobTimelines {
  private readonly kept = new LruMap<string, ReadTimeline>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ size }) => TIMELINE_BYTES + 2 * size,
  });
  private readonly turns = new Turns();

  /** @param maxTextCharacters how much text of one job is kept */
  constructor(
    private readonly eventStore: EventStore,
    private readonly maxTextCharacters?: number,
  ) {}

  /** Returns the timeline of a job up to its present last event. */
  of(seed: string): Promise<SearchableTimeline> {
    const stream = jobStream(seed);
    return this.turns.run(stream, async () => {
      const timeline = await this.continued(this.kept.peek(stream), stream);
      this.kept.set(stream, timeline);
      return timeline;
    });
  }

  /**
   * Returns the state of a job after one of its events. @throws Refusal INVALID_INPUT for an event that the job does
   * not have, INTEGRITY_FAILURE from a broken event on; UnreadableEvent
   */
  async stateAt(seed: string, number: number): Promise<JobState> {
    const timeline = await this.of(seed);
    if (number > timeline.version) throw versionAhead(number, timeline.version);
    const { break: broken } = timeline;
    if (broken !== undefined && number >= broken.number) throw broken.cause;
    const checkpoint = timeline.before(number);
    let { state } = checkpoint;
    if (checkpoint.number === number) return state;
    const range = { from: checkpoint.number + 1, to: number };
    for await (const event of readRecorded(this.eventStore, jobStream(seed), range))
      state = jobDecider.evolve(state, upcast<JobEvent>(jobDecider.schemas, event));
    return state;
  }

  private async continued(known: ReadTimeline | undefined, stream: string): Promise<ReadTimeline> {
    const timeline = known ?? new ReadTimeline(stream, this.maxTextCharacters);
    const { number: last, hash } = timeline.head;
    let isFirst = known !== undefined;
    for await (const event of readRecorded(this.eventStore, stream, { from: Math.max(0, last) })) {
      if (!isFirst) timeline.read(event);
      else if (event.number !== last || event.metadata.hash !== hash) break;
      isFirst = false;
    }
    // The log no longer has the event that was the last one, for example after a restore.
    return isFirst && known !== undefined ? this.continued(undefined, stream) : timeline;
  }
}

/** A timeline whose events can be searched. */
export type SearchableTimeline = JobTimeline & Pick<ReadTimeline, 'text'>;

/** Returns why an event does not continue the chain after the head; undefined if it does. */
function linkFailure(head: ReadTimeline['head'], event: LoggedEvent): unknown {
  try {
    return verifyLink(head, event);
  } catch (cause) {
    return cause;
  }
}
