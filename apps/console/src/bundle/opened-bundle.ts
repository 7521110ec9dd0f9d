import { jobDecider } from '#domain/job/decider.js';
import { type JobEvent, jobSchemas } from '#domain/job/events.js';
import { containsText, firstAtOrAfter, placeIn, wantedTexts } from '#domain/job/event-matches.js';
import { JobTimeline } from '#domain/job/timeline.js';
import { jobView } from '#domain/job/view.js';
import type { Json } from '#domain/json.js';
import { plainView } from '#domain/plain-view.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import { isEventLine, parseLine } from '#domain/replay/bundle.js';
import { deciderOf } from '#domain/replay/stream-rules.js';
import { type BundleReport, BundleVerification } from '#domain/replay/verify-bundle.js';
import { upcast } from '#domain/upcast.js';
import type { EventsAsked, EventsPage, ShownState, Timeline } from '../jobs/record/job-record';

/** A bundle that was read and verified. It answers the questions of a replay as the service does. */
export class OpenedBundle {
  readonly #lines: string[] = [];
  readonly #timeline: JobTimeline;
  readonly report: BundleReport;

  /** @param lines all lines of the file, without line feeds */
  constructor(lines: readonly string[]) {
    const verification = new BundleVerification(deciderOf);
    for (const line of lines) verification.line(line);
    this.report = verification.finish();
    this.#timeline = new JobTimeline(this.report.header?.stream ?? '');
    if (this.isJob) this.#addEvents(lines.slice(1));
  }

  /** True if the bundle has a job, which can be replayed on a timeline. */
  get isJob(): boolean {
    return this.report.header?.stream.startsWith(`${jobDecider.category}-`) === true;
  }

  timeline(): Timeline {
    const { version, types, typeCodes: type_of, break: broken } = this.#timeline;
    return {
      version,
      types,
      type_of,
      ticks: this.#timeline.ticks(),
      broken_at: broken?.number ?? null,
    };
  }

  events({
    from = 0,
    skip = 0,
    limit = 100,
    types,
    kind,
    from_tick,
    to_tick,
    words = '',
    actor_name: actor,
  }: EventsAsked): EventsPage {
    const conditions = { types: types?.split(','), kind, fromTick: from_tick, toTick: to_tick };
    const texts = wantedTexts(words);
    const matches = this.#timeline
      .matching({ ...conditions, actor })
      .filter((number) => texts.every((text) => containsText(this.#event(number), text)));
    const first = firstAtOrAfter(matches, from) + skip;
    const events = matches.slice(first, first + limit).map((number) => this.#event(number));
    return { events, matches: placeIn(matches, from) };
  }

  /** Returns the state after an event. @throws Error from a broken event on */
  stateAfter(number: number): ShownState {
    const broken = this.#timeline.break;
    if (broken !== undefined && number >= broken.number)
      throw new Error(
        `No state is shown from event ${broken.number} on, because the bundle is broken there.`,
      );
    const checkpoint = this.#timeline.before(number);
    let { state } = checkpoint;
    for (let next = checkpoint.number + 1; next <= number; next += 1)
      state = jobDecider.evolve(state, upcast<JobEvent>(jobSchemas, this.#event(next)));
    const view = jobView(state) as unknown as ShownState;
    return { ...view, episodes: state.episode_counter, query: state.query ?? null };
  }

  plainEvent(number: number): string {
    return plainView(this.#event(number) as unknown as Json);
  }

  #event(number: number): RecordedEvent {
    return JSON.parse(this.#lines[number] ?? '') as RecordedEvent;
  }

  /** Takes the events in the order of the file, up to the first one whose number is out of order. */
  #addEvents(lines: readonly string[]): void {
    const brokenAt = this.report.finding?.number;
    for (const line of lines) {
      const value = parseLine(line)?.value;
      if (value === undefined || !isEventLine(value)) return;
      const number = this.#lines.length;
      if (value.number !== number) return;
      this.#timeline.add(value, number === brokenAt ? this.report.finding : undefined);
      this.#lines.push(line);
    }
  }
}
