import { ITEM_BYTES, REQUEST_ITEMS } from '#domain/conversation/limits.js';
import type { Json } from '#domain/json.js';
import { EventNumber, IdText, JsonList, Whole } from '../platform/http/fields.js';
import { Describes, type Description, WriteRequest } from '../platform/http/request.js';
import { ConversationId, INDEX } from './conversation-fields.js';
import { ConversationChangedDto, ItemsChangedDto, PoppedItemDto } from './conversation-view.js';

const OWN: Pick<Description<never>, 'roles' | 'fails'> = {
  roles: { own: ['agent', 'user'], of: 'conversation' },
  fails: ['PRIVACY_BLOCKED'],
};

/** A change of one of the caller's conversations (SPEC N4). */
abstract class Change<Body> extends WriteRequest<Body> {
  @ConversationId() id!: string;

  @EventNumber({
    optional: true,
    description:
      'The change fails with VERSION_CONFLICT if the conversation has another version; 0: it must not exist.',
  })
  expected_version?: number;
}

@Describes({
  ...OWN,
  summary: 'Append items to the caller’s conversation',
  example: { items: [{ role: 'user', content: 'Where is the ship?' }] },
  answers: [201, ItemsChangedDto],
})
export class AppendItems extends Change<ItemsChangedDto> {
  readonly type = 'append';

  @JsonList({
    min: 1,
    max: REQUEST_ITEMS,
    description: `1 to ${REQUEST_ITEMS} items of any JSON, each of at most ${ITEM_BYTES} bytes.`,
  })
  items!: readonly Json[];
}

@Describes({
  ...OWN,
  summary: 'Remove and return the last item',
  answers: [200, PoppedItemDto],
})
export class PopItem extends Change<PoppedItemDto> {
  readonly type = 'pop';
}

@Describes({
  ...OWN,
  summary: 'Remove all items; earlier versions keep them',
  answers: [200, ConversationChangedDto],
})
export class ClearConversation extends Change<ConversationChangedDto> {
  readonly type = 'clear';
}

@Describes({
  ...OWN,
  summary: 'Replace items in one step, once for each `operation_id`',
  answers: [200, ItemsChangedDto],
})
export class ReplaceItems extends Change<ItemsChangedDto> {
  readonly type = 'replace';

  @IdText({
    description: 'The caller’s id of the change. The same one again gets the first answer.',
  })
  operation_id!: string;

  @Whole({
    ...INDEX,
    optional: true,
    description: 'The index of the first item to replace. Give either this or `expected_suffix`.',
  })
  from?: number;

  @Whole({
    ...INDEX,
    optional: true,
    description: 'The index before which the replacement ends; default: the end.',
  })
  to?: number;

  @JsonList({
    optional: true,
    max: REQUEST_ITEMS,
    description:
      'The items with which the conversation must end, and which are replaced; otherwise VERSION_CONFLICT.',
  })
  expected_suffix?: readonly Json[];

  @JsonList({ max: REQUEST_ITEMS, description: 'The items that take their place; may be empty.' })
  items!: readonly Json[];
}

/** The requests that change a conversation. */
export const CHANGES = [AppendItems, PopItem, ClearConversation, ReplaceItems] as const;
export type ConversationChange = InstanceType<(typeof CHANGES)[number]>;
