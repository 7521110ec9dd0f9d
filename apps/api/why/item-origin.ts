import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import { SPACES, type Space } from '#domain/memory-contract/item.js';
import { heldAs } from '#domain/memory-contract/store/ledger.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { memoryStream } from '#domain/stream-names.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { MemoryItemQueries, type StoredItem } from '#projections/memory-contract/queries.js';
import { MemoryAccess } from '../memory-contract/memory-access.js';
import { LogEnd } from '../platform/log-end.js';
import type { MemoryStore } from '../platform/stores.js';
import { EVENT_STORE, MEMORY_STORE } from '../platform/tokens.js';
import { eventAt, isAfter } from './episode-origin.js';
import { type Origin, type OriginFinder, sourceOf, UNKNOWN } from './origin.js';
import type { WhyItemDto } from './why-view.js';

/** The longest chain is session, user, project; the limit only ends a chain that a fault made circular. */
const LONGEST_CHAIN = 8;
const ITEM_ID = /^(session|user|project|system):(.+):(short_term|semantic|profile):\d{1,15}$/s;

/** Finds the event that stored an item of the Memory Contract, and its way between spaces. */
@Injectable()
export class ItemOrigin implements OriginFinder {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: MemoryAccess,
    private readonly items: MemoryItemQueries,
    private readonly logEnd: LogEnd,
    @Inject(MEMORY_STORE) private readonly stores: MemoryStore,
  ) {}

  async find(actor: Actor, id: string, asOf?: bigint): Promise<Origin> {
    const { space, owner } = storeOf(id);
    await this.access.requireRead(actor, space, owner);
    // The id may be one that an interaction has just answered.
    await this.logEnd.reach('memory_items');
    const item = await this.items.item(id);
    if (item === undefined) throw notFound(id);
    const stream = memoryStream(space, owner);
    const stored = await this.storing(item);
    if (isAfter(stored, asOf)) throw notFound(id);
    const chain = await this.chainOf(actor, item);
    const promotions = (asOf === undefined ? chain : await this.asItWas(chain, asOf)).map(viewOf);
    const session = promotions.find((step) => step.space === 'session');
    return {
      ...UNKNOWN,
      ...{ stream, promotions, session_id: session?.owner ?? null },
      // Everybody who may read the store of a session or a user owns it, or oversees it.
      isOwn: readsEveryOwner(actor) || space === 'session' || space === 'user',
      source: sourceOf(stored),
    };
  }

  /** Returns the items before and after this one, as far as the caller may read them, the oldest first. */
  private async chainOf(actor: Actor, item: StoredItem): Promise<StoredItem[]> {
    const chain = [item];
    for (let at = item; chain.length < LONGEST_CHAIN; chain.unshift(at)) {
      const before = await this.readable(actor, at.item.meta.promoted_from);
      if (before === undefined) break;
      at = before;
    }
    for (let at = item; chain.length < LONGEST_CHAIN; chain.push(at)) {
      const next = at.deleted_reason === 'promoted' ? at.replaced_by : null;
      const after = await this.readable(actor, next ?? undefined);
      if (after === undefined) break;
      at = after;
    }
    return chain;
  }

  private storing({ item, stored_number }: StoredItem): Promise<LoggedEvent> {
    const { space, owner } = storeOf(item.id);
    return eventAt(this.eventStore, memoryStream(space, owner), stored_number);
  }

  /** Returns the items of a chain that were stored at a position, and leaves out what became of them later. */
  private async asItWas(chain: readonly StoredItem[], asOf: bigint): Promise<StoredItem[]> {
    const then: StoredItem[] = [];
    for (const one of chain) {
      if (isAfter(await this.storing(one), asOf)) continue;
      const { space, owner } = storeOf(one.item.id);
      const { state } = await this.stores.loadAtPosition(memoryStream(space, owner), asOf);
      const isStored = heldAs(state.ledger, one.item.id) !== undefined;
      then.push(isStored ? { ...one, deleted_reason: null, replaced_by: null } : one);
    }
    return then;
  }

  private async readable(actor: Actor, id: string | undefined): Promise<StoredItem | undefined> {
    if (id === undefined) return undefined;
    const { space, owner } = storeOf(id);
    try {
      await this.access.requireRead(actor, space, owner);
    } catch (cause) {
      if (cause instanceof Refusal) return undefined;
      throw cause;
    }
    return this.items.item(id);
  }
}

const notFound = (id: string): Refusal => new Refusal('NOT_FOUND', { what: 'memory item', id });

/** Returns the store of an item by its id. @throws Refusal NOT_FOUND for a text that is not an item's id */
function storeOf(id: string): { readonly space: Space; readonly owner: string } {
  const [, space, owner] = ITEM_ID.exec(id) ?? [];
  if (space === undefined || owner === undefined) throw notFound(id);
  return { space: SPACES.find((name) => name === space)!, owner };
}

function viewOf({ item, stored_number, deleted_reason, replaced_by }: StoredItem): WhyItemDto {
  const { id, text, created_at, meta } = item;
  const { space, owner, promotion_reason = null, source_turn_ids, summary_of } = meta;
  return {
    ...{ id, space, owner, text, created_at, stored_number, deleted_reason, replaced_by },
    promotion_reason: meta.promoted_from === undefined ? null : promotion_reason,
    made_from: source_turn_ids ?? summary_of ?? [],
  };
}
