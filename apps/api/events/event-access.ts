import { Inject, Injectable } from '@nestjs/common';
import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import { type Requested } from '#domain/action-request/persons.js';
import { isOfRequest, onlyAudits, requestEventFor } from '#domain/action-request/vote-sight.js';
import { isEntityOf, parseKey } from '#domain/canonical-key/canonical-key.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Space } from '#domain/memory-contract/item.js';
import { ownUserId } from '#domain/ownership/access.js';
import {
  isForAuditors,
  ownerIn,
  ownsStream,
  reachInCategory,
  type StreamOwner,
} from '#domain/ownership/stream-access.js';
import type { Actor } from '#domain/recorded-event.js';
import { categoryOf } from '#domain/stream-names.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { MemoryAccess } from '../memory-contract/memory-access.js';
import { EVENT_STORE } from '../platform/tokens.js';

const MAX_OWNER_BYTES = 16 * 1024 * 1024;
const MAX_DECIDED_BYTES = 32 * 1024 * 1024;

/**
 * The categories whose streams belong to the user who owns a slug. Until somebody claims the slug, every id that
 * leads to it may read what an admin wrote there, so being allowed is not final.
 */
const OWNED_BY_SLUG: ReadonlySet<string> = new Set(['sem', 'consent']);

/** True if a check succeeds; false if it refuses. */
async function isAllowed(check: Promise<void>): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (cause) {
    if (cause instanceof Refusal && ['PERMISSION_DENIED', 'NOT_FOUND'].includes(cause.code))
      return false;
    throw cause;
  }
}

/**
 * Decides which streams belong to a caller (SPEC I9). A stream's claim or first event says so, and neither
 * changes, so a decision is final, except one about a slug that nobody has claimed yet.
 */
@Injectable()
export class EventAccess {
  private readonly owners = new LruMap<string, StreamOwner>({
    maxBytes: MAX_OWNER_BYTES,
    bytesOf: jsonBytes,
  });
  /** For each reader and stream, whether the reader's caller owns the stream. */
  private readonly decided = new LruMap<string, boolean>({
    maxBytes: MAX_DECIDED_BYTES,
    bytesOf: jsonBytes,
  });
  private readers = 0;

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly memory: MemoryAccess,
    private readonly claims: OwnerClaims,
  ) {}

  /** Returns what a caller may read of the log. */
  readerOf(actor: Actor): EventReader {
    this.readers += 1;
    const prefix = `${this.readers} `;
    const owns = async (event: LoggedEvent): Promise<boolean> => {
      const key = prefix + event.stream;
      const known = this.decided.get(key);
      if (known !== undefined) return known;
      const isOwn = await this.owns(actor, event);
      if (!isOwn || !OWNED_BY_SLUG.has(categoryOf(event.stream))) this.decided.set(key, isOwn);
      return isOwn;
    };
    return new EventReader(actor, {
      owns,
      requestedIn: async (event) => (await this.ownerOf(event)).proposal,
    });
  }

  private async owns(actor: Actor, event: LoggedEvent): Promise<boolean> {
    const { stream } = event;
    const category = categoryOf(stream);
    const name = stream.slice(category.length + 1);
    switch (category) {
      case 'memory':
        return this.ownsStore(actor, name);
      case 'sem':
        return this.isOfUser(
          actor,
          parseKey(name).scope === 'user' ? parseKey(name).entity_id : '',
        );
      case 'consent':
        return this.isOfUser(actor, name);
      default:
        return ownsStream(actor, await this.ownerOf(event));
    }
  }

  /** True for the stores of the caller's sessions and of the token's user. */
  private async ownsStore(actor: Actor, storeKey: string): Promise<boolean> {
    const [space, owner = ''] = storeKey.split(':', 2) as [Space, string | undefined];
    if (space === 'user' && ownUserId(actor) === undefined) return false;
    if (space !== 'session' && space !== 'user') return false;
    return isAllowed(this.memory.requireRead(actor, space, owner));
  }

  /** True if the entity is the token's user, and no other raw id has claimed its slug. */
  private async isOfUser(actor: Actor, entityId: string): Promise<boolean> {
    const own = ownUserId(actor);
    if (own === undefined || !isEntityOf(own, entityId)) return false;
    return isAllowed(this.claims.check(own));
  }

  private async ownerOf(event: LoggedEvent): Promise<StreamOwner> {
    const { stream } = event;
    const known = this.owners.get(stream);
    if (known !== undefined) return known;
    let first = event;
    if (event.number > 0)
      for await (const read of this.eventStore.readStream(stream, { limit: 1 })) first = read;
    const owner = ownerIn(first);
    this.owners.set(stream, owner);
    return owner;
  }
}

/** Answers the questions on which it depends who sees the events of a stream. */
interface StreamFacts {
  owns(event: LoggedEvent): Promise<boolean>;
  /** Returns by and for whom the request of a stream was made. */
  requestedIn(event: LoggedEvent): Promise<Requested | undefined>;
}

/** Chooses the events that one caller may read. */
export class EventReader {
  constructor(
    private readonly actor: Actor,
    private readonly facts: StreamFacts,
  ) {}

  /** Returns the events that the caller may read. */
  async readable(events: readonly LoggedEvent[]): Promise<readonly LoggedEvent[]> {
    const readable: LoggedEvent[] = [];
    for (const event of events) {
      const reach = reachInCategory(this.actor, categoryOf(event.stream));
      const isReadable =
        reach === 'all' ||
        (reach === 'own' && !isForAuditors(event) && (await this.facts.owns(event)));
      if (isReadable) readable.push(await this.shown(event));
    }
    return readable;
  }

  private async shown(event: LoggedEvent): Promise<LoggedEvent> {
    if (!isOfRequest(event.stream)) return event;
    const requested = onlyAudits(this.actor) ? await this.facts.requestedIn(event) : undefined;
    return requestEventFor(this.actor, event, requested);
  }
}
