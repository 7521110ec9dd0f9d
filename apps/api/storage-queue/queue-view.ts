import {
  FLAG,
  INSTANT,
  many,
  oneOf,
  orNull,
  ApiField,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { Text } from '../platform/http/fields.js';

/** The command_id of a waiting write, in the path. */
export const WriteId = (): PropertyDecorator =>
  Text({ min: 1, max: 64, pattern: /^[0-9a-f-]{1,64}$/, description: 'The write’s command_id.' });

/**
 * A write that was refused because the log was full and now waits in the queue. The service never shows
 * its content.
 */
export class WaitingWriteDto {
  @ApiField(TEXT, { description: 'The write’s command_id.' })
  readonly id!: string;

  @ApiField(FLAG, {
    description:
      'False if the entry was changed in Postgres, or sealed with another key. The fields that describe it are then null.',
  })
  readonly verified!: boolean;

  @ApiField(orNull(TEXT), { description: 'The command’s name, such as `PutFact`.' })
  readonly command!: string | null;

  @ApiField(orNull(TEXT), { description: 'The HTTP method and path pattern, without ids.' })
  readonly route!: string | null;

  @ApiField(orNull(TEXT), { description: 'The stream that the write was for.' })
  readonly stream!: string | null;

  @ApiField(orNull(FLAG), {
    description:
      'Whether it has an Idempotency-Key; if so, the service replays it when the log has room.',
  })
  readonly keyed!: boolean | null;

  @ApiField(orNull(TEXT), { description: 'First 16 hex digits of sha256(sub).' })
  readonly caller!: string | null;

  @ApiField(orNull(TEXT)) readonly trace_id!: string | null;
  @ApiField(orNull(INSTANT)) readonly refused_at!: string | null;

  @ApiField(WHOLE, { description: 'The number of failed replays.' })
  readonly attempts!: number;

  @ApiField(TEXT, { description: 'The error_code of the last attempt.' })
  readonly last_code!: string;

  @ApiField(oneOf('room', 'person')) readonly waits_for!: 'room' | 'person';
}

export class QueuePageDto {
  @ApiField(many(WaitingWriteDto), { description: 'In the order of their refusal.' })
  readonly entries!: readonly WaitingWriteDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

export class RemovedWriteDto {
  @ApiField(TEXT) readonly id!: string;
  @ApiField(oneOf('removed')) readonly status!: 'removed';
}

export class RetriedWriteDto {
  @ApiField(TEXT) readonly id!: string;
  @ApiField(oneOf('written')) readonly status!: 'written';
}
