import {
  FLAG,
  INSTANT,
  many,
  oneOf,
  orNull,
  Shown,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

/**
 * A write that was refused because the log was full, and that waits in the queue. Its content is never shown.
 */
export class WaitingWriteDto {
  @Shown(TEXT, { description: 'The write’s command_id.' })
  readonly id!: string;

  @Shown(TEXT, { description: 'The command’s name, such as `PutFact`.' })
  readonly command!: string;

  @Shown(TEXT, { description: 'The HTTP method and path pattern, without ids.' })
  readonly route!: string;

  @Shown(TEXT, { description: 'The stream that the write was for.' })
  readonly stream!: string;

  @Shown(FLAG, {
    description:
      'Whether it has an Idempotency-Key; if so, the service replays it when the log has room.',
  })
  readonly keyed!: boolean;

  @Shown(TEXT, { description: 'First 16 hex digits of sha256(sub).' })
  readonly caller!: string;

  @Shown(TEXT)
  readonly trace_id!: string;

  @Shown(INSTANT)
  readonly refused_at!: string;

  @Shown(WHOLE, { description: 'The number of failed replays.' })
  readonly attempts!: number;

  @Shown(TEXT, { description: 'The error_code of the last attempt.' })
  readonly last_code!: string;

  @Shown(oneOf('room', 'person'))
  readonly waits_for!: 'room' | 'person';
}

export class QueuePageDto {
  @Shown(many(WaitingWriteDto), { description: 'In the order of their refusal.' })
  readonly entries!: readonly WaitingWriteDto[];

  @Shown(orNull(TEXT))
  readonly next_cursor!: string | null;
}

export class RetriedWriteDto {
  @Shown(TEXT)
  readonly id!: string;

  @Shown(oneOf('written'))
  readonly status!: 'written';
}
