import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import { rulesFor } from '#domain/replay/stream-rules.js';
import { isPosition } from '#domain/position.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { type EventStore, type LoggedEvent, NoSuchPosition } from '#event-store/event-store.js';
import { countAt } from '#event-store/stream-past.js';
import { wholeLog } from '#event-store/whole-log.js';
import { RecordedTimesQueries, type TimesAround } from '#projections/recorded-times/queries.js';
import { hashOf } from '#read-model/checkpoint.js';
import type { ReadModelName } from '../platform/http/reads-from.decorator.js';
import { LogEnd } from '../platform/log-end.js';
import type { ReadModels } from '../platform/read-models.js';
import { EVENT_STORE, READ_MODELS } from '../platform/tokens.js';

/** The end of the log at a time on the wall (SPEC W5), or at a position. */
export interface Moment {
  /** The time in its stored form: the one that was asked for, or that of the event at the position. */
  readonly at: string;
  /** The position of the last event; null if the log began later. */
  readonly position: string | null;
  readonly hash: string | null;
  /** True once an event that was recorded later is in the log: no event can come before it any more. */
  readonly final: boolean;
}

/** A moment at which the log had an event. */
export type BegunMoment = Moment & Readonly<Record<'position' | 'hash', string>>;

type End = Pick<Moment, 'position' | 'hash'>;

/** Requires that a read names at most one moment. @throws Refusal INVALID_INPUT */
export function requireOne(moments: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(moments).filter((name) => moments[name] !== undefined);
  if (given.length > 1)
    throw new Refusal('INVALID_INPUT', {
      reason: `${Object.keys(moments).join(', ')}: give at most one`,
    });
}

/**
 * Finds what the log ended with at a time: the last event before the first one, in the order of the log, that was recorded
 * later. It depends on the log alone, so every copy of the log names the same event.
 */
@Injectable()
export class Moments {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly times: RecordedTimesQueries,
    private readonly logEnd: LogEnd,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * @param moment a time, or the position of an event. @throws Refusal INVALID_INPUT for a time in the future, of which
   * nothing is known yet, and for a position without an event
   */
  async at(moment: string): Promise<Moment> {
    if (isPosition(moment)) return this.endAtPosition(BigInt(moment));
    const at = normalizeTimestamp(moment, 'at');
    if (Date.parse(at) > Date.now())
      throw new Refusal('INVALID_INPUT', {
        reason: 'at: is in the future: give a time that has passed, or leave it out',
      });
    return this.endAt(at);
  }

  /** @param at a time in its stored form */
  async endAt(at: string): Promise<Moment> {
    const second = Math.floor(Date.parse(at) / 1_000);
    const around = await this.logEnd.readUpToDate(['recorded_times'], () =>
      this.times.around(second),
    );
    const within =
      around.second === second.toString() ? await this.endWithin(around, at) : undefined;
    return { at, ...(within ?? endAfter(around)) };
  }

  /**
   * Returns the position that a moment stands for, once these read models show it; undefined without a moment. @throws
   * Refusal as `begun` does
   */
  async positionAt(
    moment: string | undefined,
    ...readModels: readonly ReadModelName[]
  ): Promise<bigint | undefined> {
    return moment === undefined
      ? undefined
      : BigInt((await this.begun(moment, ...readModels)).position);
  }

  /**
   * Returns the end of a log that had begun at a moment, once these read models show it. @throws Refusal INVALID_INPUT as
   * `at` does, and for a time before the log began
   */
  async begun(asked: string, ...readModels: readonly ReadModelName[]): Promise<BegunMoment> {
    const moment = await this.at(asked);
    const { position, hash } = moment;
    if (position === null || hash === null)
      throw new Refusal('INVALID_INPUT', {
        reason: 'at: is before the first event of the log, when nothing was known',
      });
    await this.readModels.reach(BigInt(position), readModels);
    return { ...moment, position, hash };
  }

  /**
   * Returns the version of a stream that a read asks for: by the version itself, or by a time, which stands for the number
   * of events that the stream had then. @throws Refusal INVALID_INPUT as `positionAt` does, and for both
   */
  async versionAt(
    stream: string,
    { version, at }: { readonly version?: number | undefined; readonly at?: string | undefined },
  ): Promise<{ readonly version: number | undefined; readonly asOf: bigint | undefined }> {
    requireOne({ version, at });
    const asOf = await this.positionAt(at);
    return asOf === undefined
      ? { version, asOf }
      : { version: await countAt(this.eventStore, stream, asOf), asOf };
  }

  /** Nothing comes before an event any more once it stands in the log. */
  private async endAtPosition(position: bigint): Promise<BegunMoment> {
    const event = await eventOfLog(this.eventStore, position);
    if (event === undefined)
      throw new Refusal('INVALID_INPUT', {
        reason:
          'at: no event stands at this position of the log; give the position of an event, as answers have it, or a time',
      });
    const { recorded_at } = event.metadata;
    return { at: recorded_at, position: position.toString(), hash: hashOf(event), final: true };
  }

  /** Returns the end of the log if a later event stands among those that raised the time within the same second. */
  private async endWithin(
    { before_position, before_hash, last_rise }: TimesAround,
    at: string,
  ): Promise<(End & Pick<Moment, 'final'>) | undefined> {
    const after = before_position === null ? undefined : BigInt(before_position);
    let end: End = { position: before_position, hash: before_hash };
    for await (const events of wholeLog(this.eventStore, BigInt(last_rise ?? 0), undefined, after))
      for (const event of events) {
        if (rulesFor(event.stream) === undefined) continue;
        if (event.metadata.recorded_at > at) return { ...end, final: true };
        end = { position: event.position.toString(), hash: hashOf(event) };
      }
    return undefined;
  }
}

/** Returns the event at a position; undefined if the product has none there. */
export async function eventOfLog(
  store: EventStore,
  position: bigint,
): Promise<LoggedEvent | undefined> {
  try {
    const event = await store.eventAt(position);
    return event === undefined || rulesFor(event.stream) === undefined ? undefined : event;
  } catch (cause) {
    if (cause instanceof NoSuchPosition) return undefined;
    throw cause;
  }
}

/** Returns the log's end if no event up to the last rise of the second was recorded later. */
const endAfter = ({
  is_past,
  end_position,
  end_hash,
}: TimesAround): End & Pick<Moment, 'final'> => ({
  ...{ position: end_position, hash: end_hash, final: is_past },
});
