import type { Json, JsonObject } from '#domain/json.js';
import type { ReplayMode } from '#domain/replay/stream-replay.js';
import {
  AnyJson,
  AnyObject,
  EventNumber,
  ListOf,
  OneOf,
  OwnerText,
  Text,
  TextList,
  Whole,
} from '../../platform/http/fields.js';
import { UnredactedQuery } from '../../privacy/dto/unredacted.dto.js';

/** The maximum number of channels that one checkpoint changes, and of writes in one request. */
const MANY = 1_000;
const PRINTABLE = /^[^\p{Cc}\p{Cs}]*$/u;

/** An id that the caller chose; it is not personal data. */
const Id = (options: { optional?: boolean; description?: string } = {}): PropertyDecorator =>
  Text({ ...options, min: 1, max: 256, pattern: PRINTABLE });

const ThreadId = (options: { optional?: boolean } = {}): PropertyDecorator =>
  Id({ ...options, description: 'The id that the caller chose. It is not personal data.' });

const Namespace = (description = 'The namespace of a subgraph; default: the graph itself, "".') =>
  Text({ optional: true, max: 1_024, pattern: PRINTABLE, description });

const OWNER =
  'For auditors, admins and the council: whose threads to read, `user:<id>` or `sub:<sub of an agent without a user>`.';

class ThreadPlaceDto {
  @ThreadId()
  thread_id!: string;

  @Namespace()
  namespace?: string;

  @Id()
  checkpoint_id!: string;
}

export class PutCheckpointDto extends ThreadPlaceDto {
  @Id({ optional: true, description: 'The checkpoint from which the step began.' })
  parent_checkpoint_id?: string;

  @AnyObject({ description: 'The checkpoint without the versions and values of its channels.' })
  checkpoint!: JsonObject;

  @AnyObject()
  metadata!: JsonObject;

  @AnyObject({ description: 'The version of each channel, a number or a text.' })
  channel_versions!: JsonObject;

  @AnyObject({
    description:
      'The values that this step has changed, by channel. The service finds the others under the same versions.',
  })
  channel_values!: JsonObject;

  @TextList({
    optional: true,
    max: MANY,
    maxLength: 256,
    description: 'The channels that this step has emptied.',
  })
  empty_channels?: readonly string[];
}

export class WriteDto {
  @Whole({
    min: -1_000,
    max: 1_000_000,
    description:
      'The place in the task’s writes. A write with a negative index replaces the earlier one; any other is made once.',
  })
  index!: number;

  @Id()
  channel!: string;

  @AnyJson()
  value!: Json;
}

export class PutWritesDto extends ThreadPlaceDto {
  @Id()
  task_id!: string;

  @Text({
    optional: true,
    max: 2_048,
    pattern: PRINTABLE,
    description: 'The place of the task in its step.',
  })
  task_path?: string;

  @ListOf(WriteDto, { max: MANY })
  writes!: readonly WriteDto[];
}

export class CheckpointQuery extends UnredactedQuery {
  @ThreadId()
  thread_id!: string;

  @Namespace()
  namespace?: string;

  @Id({ optional: true, description: 'Default: the one whose id was put first after all others.' })
  checkpoint_id?: string;

  @EventNumber({
    optional: true,
    description: 'The thread after so many events; default: as it is now (SPEC X3).',
  })
  version?: number;

  @OwnerText(OWNER)
  owner?: string;
}

export class ListCheckpointsDto extends UnredactedQuery {
  @ThreadId({ optional: true })
  thread_id?: string;

  @Namespace('Default: all namespaces.')
  namespace?: string;

  @Id({ optional: true })
  checkpoint_id?: string;

  @Id({ optional: true, description: 'Only checkpoints whose ids were first put before this one.' })
  before?: string;

  @AnyObject({
    optional: true,
    description:
      'Only checkpoints whose metadata has these values. Metadata that contains personal data matches no filter.',
  })
  filter?: JsonObject;

  @Whole({
    optional: true,
    min: 1,
    max: 100,
    description: 'Default: 20. A page of large checkpoints has fewer.',
  })
  limit?: number;

  @Text({ optional: true, min: 1, max: 512, pattern: /^[\w-]+$/ })
  cursor?: string;

  @OwnerText(OWNER)
  owner?: string;
}

export class ThreadQuery {
  @ThreadId()
  thread_id!: string;
}

export class ThreadRecordQuery extends ThreadQuery {
  @Namespace()
  namespace?: string;

  @OwnerText(OWNER)
  owner?: string;
}

export class ReplayThreadDto extends ThreadRecordQuery {
  @OneOf(['audit', 'strict'], { optional: true })
  mode?: ReplayMode;
}
