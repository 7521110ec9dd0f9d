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
  @Shown(TEXT, { description: 'Its command_id.' })
  readonly id!: string;

  @Shown(TEXT, { description: 'What was asked for, such as `PutFact`.' })
  readonly command!: string;

  @Shown(TEXT, { description: 'Method and pattern, without ids.' })
  readonly route!: string;

  @Shown(TEXT, { description: 'The stream that had no room for it.' })
  readonly stream!: string;

  @Shown(FLAG, {
    description: 'It came with an Idempotency-Key: it is replayed by itself when there is room.',
  })
  readonly keyed!: boolean;

  @Shown(TEXT, { description: 'First 16 hex digits of sha256(sub).' })
  readonly caller!: string;

  @Shown(TEXT)
  readonly trace_id!: string;

  @Shown(INSTANT)
  readonly refused_at!: string;

  @Shown(WHOLE, { description: 'How often it was replayed in vain.' })
  readonly attempts!: number;

  @Shown(TEXT, { description: 'Why it is still here: an error_code.' })
  readonly last_code!: string;

  @Shown(oneOf('room', 'person'))
  readonly waits_for!: 'room' | 'person';
}

export class QueuePageDto {
  @Shown(many(WaitingWriteDto), { description: 'In the order in which they were refused.' })
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
