import type { Json } from '#domain/json.js';
import { ApiField, INSTANT, JSON_VALUE, many, WHOLE } from '../platform/http/answer-fields.js';

class ConversationItemDto {
  @ApiField(WHOLE, { description: 'The place in the conversation, from 0.' })
  readonly index!: number;

  @ApiField(JSON_VALUE) readonly item!: Json;

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
  @ApiField(JSON_VALUE, {
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
