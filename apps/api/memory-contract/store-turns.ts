import { Inject, Injectable } from '@nestjs/common';
import type { Json, JsonObject } from '#domain/json.js';
import type { MemoryEvent } from '#domain/memory-contract/events.js';
import { leftOut } from '#domain/memory-contract/interaction/left-out.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import {
  beginsTurn,
  type TimedEvent,
  type Turn,
  turnsOf,
} from '#domain/memory-contract/trace/turns.js';
import type { RecordableText } from '#domain/memory-contract/utterance/utterance.js';
import { memoryStream } from '#domain/stream-names.js';
import { upcast } from '#domain/upcast.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { newestFirst } from '#event-store/newest-first.js';
import { countAt } from '#event-store/stream-past.js';
import { MemoryItemQueries, type StoredItem } from '#projections/memory-contract/queries.js';
import type { ReadModels } from '../platform/read-models.js';
import { EVENT_STORE, READ_MODELS } from '../platform/tokens.js';
import { MemoryAccess } from './memory-access.js';
import type { StoreRead } from './store-read.js';
import type { DeletionDto, SaidDto, TurnDto, TurnsPageDto } from './turn-view.js';

/** A page ends early once its events have so many characters. */
const FULL_PAGE_CHARACTERS = 4 * 1024 * 1024;
const EVENTS_AT_ONCE = 256;

interface Page {
  readonly before: number | undefined;
  readonly from: number | undefined;
  readonly limit: number;
  /** The position of the log as of which the store is read; undefined for the present. */
  readonly position: bigint | undefined;
}

/** Reads a store turn by turn. A page reads the events of its turns alone, however long the store is. */
@Injectable()
export class StoreTurns {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly access: MemoryAccess,
    private readonly queries: MemoryItemQueries,
  ) {}

  /** @throws Refusal PERMISSION_DENIED, and NOT_FOUND for a session without an owner */
  async page({ actor, space, owner }: StoreRead<unknown>, page: Page): Promise<TurnsPageDto> {
    await this.access.requireRead(actor, space, owner);
    const stream = memoryStream(space, owner);
    const last = await this.eventStore.lastOf(stream);
    if (last === undefined) return { turns: [], earlier: null, later: null };
    await this.readModels.reach(last.position, ['memory_items']);
    const { position, before = Infinity, from, limit } = page;
    const end =
      position === undefined ? last.number + 1 : await countAt(this.eventStore, stream, position);
    const events =
      from === undefined
        ? await this.eventsBefore(stream, Math.min(before, end), limit)
        : await this.eventsFrom(stream, from, end, limit);
    const first = events[0]?.number ?? 0;
    const next = (events.at(-1)?.number ?? end) + 1;
    return {
      turns: await this.shown(turnsOf(events), end),
      earlier: first > 0 ? first : null,
      later: next < end ? next : null,
    };
  }

  /** Returns the events of the last turns before an event, oldest first. */
  private async eventsBefore(stream: string, before: number, limit: number) {
    const events: TimedEvent[] = [];
    if (before <= 0) return events;
    let [turns, characters] = [0, 0];
    for await (const logged of newestFirst(this.eventStore, stream, before - 1)) {
      events.push(timed(logged));
      characters += JSON.stringify(logged.data).length;
      if (!beginsTurn(events.at(-1)!.event)) continue;
      turns += 1;
      if (turns === limit || characters > FULL_PAGE_CHARACTERS) break;
    }
    return events.reverse();
  }

  /** Returns the events of the turn that has an event, and of those that follow, oldest first. */
  private async eventsFrom(stream: string, from: number, end: number, limit: number) {
    const events: TimedEvent[] = [];
    if (from >= end) return events;
    let start = 0;
    for await (const logged of newestFirst(this.eventStore, stream, from)) {
      start = logged.number;
      if (beginsTurn(timed(logged).event)) break;
    }
    let [turns, characters] = [0, 0];
    for (let next = start; next < end; next += EVENTS_AT_ONCE) {
      const part = { from: next, limit: Math.min(EVENTS_AT_ONCE, end - next) };
      const read: LoggedEvent[] = [];
      for await (const logged of this.eventStore.readStream(stream, part)) read.push(logged);
      for (const logged of read) {
        const event = timed(logged);
        const isNext = beginsTurn(event.event);
        if (isNext && (turns === limit || characters > FULL_PAGE_CHARACTERS)) return events;
        if (isNext) turns += 1;
        characters += JSON.stringify(logged.data).length;
        events.push(event);
      }
    }
    return events;
  }

  private async shown(turns: readonly Turn[], end: number): Promise<TurnDto[]> {
    const stored = turns.flatMap(({ stored }) => stored.map(({ of }) => of.id));
    const items = await this.queries.items(stored);
    const policies = await this.queries.policies(
      turns.flatMap(({ policy_hash = [] }) => policy_hash),
    );
    return turns.map((turn) => ({
      ...{ number: turn.number, recorded_at: turn.recorded_at, type: turn.type },
      ...saidIn(turn),
      stored: turn.stored.map(({ number, of: item }) => ({
        number,
        item,
        deleted: deletionOf(items.get(item.id), end),
      })),
      left_out: leftOutOf(turn, policies),
      decisions: turn.decisions.map(({ number, of: { type, data } }) => ({
        number,
        type,
        ...data,
      })),
    }));
  }
}

function timed(logged: LoggedEvent): TimedEvent {
  const { number, metadata } = logged;
  const event = upcast<MemoryEvent>(memoryDecider.schemas, logged);
  return { number, recorded_at: metadata.recorded_at, event };
}

function saidIn({ interaction }: Turn): Pick<TurnDto, 'user' | 'ai' | 'tool' | 'turn_altered'> {
  if (interaction === undefined) return { user: null, ai: null, tool: null };
  const { user, ai, tool, turn_altered } = interaction;
  return {
    ...{ user: saidOf(user), ai: saidOf(ai), tool: tool && saidOf(tool) },
    ...(turn_altered && { turn_altered: turn_altered as Json as JsonObject }),
  };
}

const saidOf = (said: RecordableText): SaidDto =>
  'withheld' in said
    ? { text: null, withheld: said.withheld.privacy ?? 'personal_data' }
    : { text: said.text };

function deletionOf(stored: StoredItem | undefined, end: number): DeletionDto | null {
  const { deleted_number: number = null, deleted_reason, replaced_by = null } = stored ?? {};
  if (number === null || number >= end) return null;
  return { number, reason: deleted_reason ?? '', replaced_by };
}

const leftOutOf = (
  { interaction, policy_hash }: Turn,
  policies: ReadonlyMap<string, PolicySnapshot>,
) => {
  const policy = policies.get(policy_hash ?? '');
  return interaction === undefined || policy === undefined ? [] : leftOut(interaction, policy);
};
