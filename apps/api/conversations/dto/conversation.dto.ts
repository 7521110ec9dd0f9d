import { ITEM_BYTES, REQUEST_ITEMS } from '#domain/conversation/limits.js';
import type { Json } from '#domain/json.js';
import {
  ApiField,
  INSTANT,
  JSON_VALUE,
  many,
  orNull,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import {
  EventNumber,
  IdText,
  JsonList,
  OwnerText,
  Text,
  Whole,
} from '../../platform/http/fields.js';
import { UnredactedQuery } from '../../privacy/dto/unredacted.dto.js';

/** The number of items in a page of a conversation. */
export const PAGE_ITEMS = 1_000;

const INDEX = { min: 0, max: 2_147_483_647 };

export class ConversationPath {
  @Text({
    min: 1,
    max: 256,
    pattern: /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]+$/u,
    description: 'The id that the caller chose. It is not personal data.',
  })
  id!: string;
}

const OWNER =
  'For auditors, admins and the council: whose conversation to read, `user:<id>` or `sub:<sub of an agent without a user>`.';

export class OwnerQuery {
  @OwnerText(OWNER)
  owner?: string;
}

export class ItemsQuery extends UnredactedQuery {
  @OwnerText(OWNER)
  owner?: string;

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
    description: 'The conversation after so many changes; default: as it is now (SPEC X3).',
  })
  version?: number;
}

/** With `expected_version`, a client makes a change depend on the conversation's version. */
export class ChangeDto {
  @EventNumber({
    optional: true,
    description:
      'The change fails with VERSION_CONFLICT if the conversation has another version; 0: it must not exist.',
  })
  expected_version?: number;
}

export class AppendItemsDto extends ChangeDto {
  @JsonList({
    max: REQUEST_ITEMS,
    description: `1 to ${REQUEST_ITEMS} items of any JSON, each of at most ${ITEM_BYTES} bytes.`,
  })
  items!: readonly Json[];
}

export class TransactionDto extends ChangeDto {
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

class ConversationItemDto {
  @ApiField(WHOLE, { description: 'The place in the conversation, from 0.' })
  readonly index!: number;

  @ApiField(JSON_VALUE)
  readonly item!: Json;

  @ApiField(INSTANT, { description: 'When the service received the item.' })
  readonly at!: string;
}

export class ConversationChangedDto {
  @ApiField(WHOLE, { description: 'The number of items.' })
  readonly count!: number;

  @ApiField(WHOLE, { description: 'The number of changes so far; 0 before the first.' })
  readonly version!: number;
}

export class ItemsChangedDto extends ConversationChangedDto {
  @ApiField(WHOLE, { description: 'The index of the first new item.' })
  readonly index!: number;
}

export class PoppedItemDto extends ConversationChangedDto {
  @ApiField(orNull(JSON_VALUE), {
    description: 'The item that was the last one; null if there was none.',
  })
  readonly item!: Json;
}

export class ConversationItemsDto extends ConversationChangedDto {
  @ApiField(WHOLE, { description: 'How often the conversation was cleared so far.' })
  readonly clears!: number;

  @ApiField(many(ConversationItemDto), { description: 'Oldest first.' })
  readonly items!: readonly ConversationItemDto[];
}
