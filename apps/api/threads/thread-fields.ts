import type { Json } from '#domain/json.js';
import { AnyJson, OwnerText, Text, Whole } from '../platform/http/fields.js';
import { WriteRequest } from '../platform/http/request.js';

/** The maximum number of channels that one checkpoint changes, and of writes in one request. */
export const MANY = 1_000;
export const PRINTABLE = /^[^\p{Cc}\p{Cs}]*$/u;

/** An id that the caller chose; it is not personal data. */
export const Id = (options: { optional?: boolean; description?: string } = {}): PropertyDecorator =>
  Text({ ...options, min: 1, max: 256, pattern: PRINTABLE });

export const ThreadId = (options: { optional?: boolean } = {}): PropertyDecorator =>
  Id({ ...options, description: 'The id that the caller chose. It is not personal data.' });

export const Namespace = (
  description = 'The namespace of a subgraph; default: the graph itself, "".',
): PropertyDecorator => Text({ optional: true, max: 1_024, pattern: PRINTABLE, description });

export const ThreadOwner = (): PropertyDecorator =>
  OwnerText(
    'For auditors, admins and the council: whose threads to read, `user:<id>` or `sub:<sub of an agent without a user>`.',
  );

/** A write at a place in a thread. */
export abstract class ThreadWrite<Body> extends WriteRequest<Body> {
  @ThreadId() thread_id!: string;
  @Namespace() namespace?: string;
  @Id() checkpoint_id!: string;
}

export class WriteDto {
  @Whole({
    min: -1_000,
    max: 1_000_000,
    description:
      'The place in the task’s writes. A write with a negative index replaces the earlier one; any other is made once.',
  })
  index!: number;

  @Id() channel!: string;
  @AnyJson() value!: Json;
}
