import type { Json, JsonObject } from '#domain/json.js';
import {
  ApiField,
  INSTANT,
  JSON_OBJECT,
  JSON_VALUE,
  many,
  one,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

export class ThreadChangedDto {
  @ApiField(WHOLE, { description: 'The number of events of the thread in this namespace.' })
  readonly version!: number;
}

export class ThreadDeletedDto {
  @ApiField(WHOLE, { description: 'The number of namespaces in which the thread was hidden.' })
  readonly namespaces!: number;
}

export class PendingWriteDto {
  @ApiField(TEXT) readonly task_id!: string;
  @ApiField(TEXT) readonly task_path!: string;
  @ApiField(WHOLE) readonly index!: number;
  @ApiField(TEXT) readonly channel!: string;
  @ApiField(JSON_VALUE) readonly value!: Json;
}

class EventPlaceDto {
  @ApiField(TEXT) readonly stream!: string;

  @ApiField(WHOLE, { description: 'The number of the event in its stream, from 0.' })
  readonly number!: number;
}

/** A checkpoint with the values of all its channels. */
export class CheckpointDto {
  @ApiField(TEXT) readonly thread_id!: string;
  @ApiField(TEXT) readonly namespace!: string;
  @ApiField(TEXT) readonly checkpoint_id!: string;
  @ApiField(orNull(TEXT)) readonly parent_checkpoint_id!: string | null;

  @ApiField(JSON_VALUE, { description: 'As it was put; redacted or erased as a whole.' })
  readonly checkpoint!: Json;

  @ApiField(JSON_VALUE, { description: 'As it was put; redacted or erased as a whole.' })
  readonly metadata!: Json;

  @ApiField(JSON_OBJECT) readonly channel_versions!: JsonObject;

  @ApiField(JSON_OBJECT, {
    description: 'By channel. A channel without a value is left out.',
  })
  readonly channel_values!: JsonObject;

  @ApiField(many(PendingWriteDto), { description: 'In the order in which they were put.' })
  readonly pending_writes!: readonly PendingWriteDto[];

  @ApiField(INSTANT, { description: 'When the service received the checkpoint.' })
  readonly at!: string;

  @ApiField(one(EventPlaceDto), { description: 'The event that recorded the checkpoint.' })
  readonly source!: EventPlaceDto;
}

export class CheckpointsPageDto {
  @ApiField(many(CheckpointDto), {
    description: 'By the first put of their ids, the newest first.',
  })
  readonly checkpoints!: readonly CheckpointDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}
