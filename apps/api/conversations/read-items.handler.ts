import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { fewAtOnce } from '#bounded/few-at-once.js';
import { type ItemRun, itemCount } from '#domain/conversation/item-runs.js';
import { initialConversation } from '#domain/conversation/state.js';
import { heldSize } from '#domain/held.js';
import type { Actor } from '#domain/recorded-event.js';
import { stateAtVersion } from '../platform/state-at-version.js';
import type { ConversationStore } from '../platform/stores.js';
import { CONVERSATION_STORE } from '../platform/tokens.js';
import type { ReadContext } from '../privacy/read-context.decorator.js';
import { SealedValues } from '../privacy/sealed-values.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { ConversationAccess } from './conversation-access.js';
import { ConversationItems, type RecordedItem } from './conversation-items.js';
import { type ConversationItemsDto, type ItemsQuery, PAGE_ITEMS } from './dto/conversation.dto.js';

/** A page ends early once its items have so many bytes. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** The number of items that are read at once, from the end of the page. */
const READ_ITEMS = 100;

export class ReadItems extends Query<ConversationItemsDto> {
  constructor(
    readonly actor: Actor,
    readonly id: string,
    readonly asked: ItemsQuery,
    readonly context: ReadContext,
  ) {
    super();
  }
}

/** Returns the last items of a conversation, now or at an earlier version (SPEC N4, X3). */
@QueryHandler(ReadItems)
export class ReadItemsHandler implements IQueryHandler<ReadItems> {
  constructor(
    @Inject(CONVERSATION_STORE) private readonly store: ConversationStore,
    private readonly access: ConversationAccess,
    private readonly items: ConversationItems,
    private readonly values: SealedValues,
    private readonly unredacted: UnredactedReads,
  ) {}

  async execute({ actor, id, asked, context }: ReadItems): Promise<ConversationItemsDto> {
    const { last: limit = PAGE_ITEMS, before = Infinity, version, owner, unredacted } = asked;
    const { stream, isOwn } = await this.access.readable(actor, id, owner);
    const read = { stream, version: version === undefined ? undefined : version - 1 };
    const isAllowed = await this.unredacted.allow(actor, unredacted, read, context);
    const state = await stateAtVersion(this.store, stream, version, initialConversation());
    const { last, eventCount, clears } = state;
    const to = Math.min(before, itemCount(last));
    const page = await this.page(stream, last, { from: Math.max(0, to - limit), to });
    const items = await fewAtOnce(page, async ({ index, held, at }) => ({
      index,
      item: await this.values.shown(held, isOwn || isAllowed),
      at,
    }));
    return { items, count: itemCount(last), version: eventCount, clears };
  }

  private async page(
    stream: string,
    last: ItemRun | undefined,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<readonly RecordedItem[]> {
    let items: readonly RecordedItem[] = [];
    let bytes = 0;
    for (let end = to; end > from && bytes < PAGE_BYTES; end -= READ_ITEMS) {
      const range = { from: Math.max(from, end - READ_ITEMS), to: end };
      const read = await this.items.read(stream, last, range);
      bytes += read.reduce((sum, { held }) => sum + heldSize(held), 0);
      items = [...read, ...items];
    }
    return items;
  }
}
