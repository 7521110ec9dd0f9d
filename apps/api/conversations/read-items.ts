import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { fewAtOnce } from '#bounded/few-at-once.js';
import { type ItemRun, itemCount } from '#domain/conversation/item-runs.js';
import { initialConversation } from '#domain/conversation/state.js';
import { heldSize } from '#domain/held.js';
import { Moments } from '../moments/moments.js';
import { stateAtVersion } from '../platform/state-at-version.js';
import type { ConversationStore } from '../platform/stores.js';
import { CONVERSATION_STORE } from '../platform/tokens.js';
import { ReadBy, type ReadContext, Unredacted } from '../privacy/read-context.decorator.js';
import { SealedValues } from '../privacy/sealed-values.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { ConversationAccess } from './conversation-access.js';
import { ConversationItems, type RecordedItem } from './conversation-items.js';
import { readersOf } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { At, EventNumber, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { ConversationId, ConversationOwner, INDEX } from './conversation-fields.js';
import { ConversationItemsDto } from './conversation-view.js';

/** The number of items in a page of a conversation. */
const PAGE_ITEMS = 1_000;

/** A page ends early once its items have so many bytes. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** The number of items that are read at once, from the end of the page. */
const READ_ITEMS = 100;

@Describes({
  summary: 'The last items of a conversation, oldest first, now or at a version',
  roles: readersOf('conversation'),
  does: 'reads a conversation, whose id is the caller’s own choice',
  answers: [200, ConversationItemsDto],
  fails: ['PRIVACY_BLOCKED', 'INTEGRITY_FAILURE'],
})
export class ReadItems extends ReadRequest<Answer<ConversationItemsDto>> {
  @ConversationId() id!: string;
  @ConversationOwner() owner?: string;

  @Whole({
    optional: true,
    min: 1,
    max: PAGE_ITEMS,
    description: `The last items, at most so many; default: ${PAGE_ITEMS}. A page of large items has fewer.`,
  })
  last?: number;

  @Whole({
    ...INDEX,
    optional: true,
    description: 'Only items before this index, to read page by page from the end.',
  })
  before?: number;

  @EventNumber({
    optional: true,
    description: 'The conversation after so many changes; default: as it is now.',
  })
  version?: number;

  @At('version') at?: string;

  @Unredacted() unredacted?: 'true';
  @ReadBy() context!: ReadContext;
}

@QueryHandler(ReadItems)
export class ReadItemsHandler implements IQueryHandler<ReadItems> {
  constructor(
    @Inject(CONVERSATION_STORE) private readonly store: ConversationStore,
    private readonly access: ConversationAccess,
    private readonly items: ConversationItems,
    private readonly values: SealedValues,
    private readonly unredacted: UnredactedReads,
    private readonly moments: Moments,
  ) {}

  async execute(asked: ReadItems): Promise<Answer<ConversationItemsDto>> {
    const { actor, context, last: limit = PAGE_ITEMS, before = Infinity, unredacted } = asked;
    const { stream, isOwn } = await this.access.readable(actor, asked);
    const { version, asOf } = await this.moments.versionAt(stream, asked);
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
    const shown = { items, count: itemCount(last), version: eventCount, clears };
    return Answer.asOf(shown, asOf);
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
