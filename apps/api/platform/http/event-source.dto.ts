import type { LoggedEvent } from '#event-store/event-store.js';
import { ApiField, TEXT, WHOLE } from './answer-fields.js';

/** The event behind an answer: where the log has it, and by which hash it is recognised (SPEC I6). */
export class EventSourceDto {
  @ApiField(TEXT)
  readonly stream!: string;

  @ApiField(WHOLE, { description: 'The number of the event in its stream.' })
  readonly number!: number;

  @ApiField(TEXT, { description: 'The position of the event in the log.' })
  readonly position!: string;

  @ApiField(TEXT, { description: 'The hash of the event in the hash chain of its stream.' })
  readonly hash!: string;
}

export const eventSource = ({
  stream,
  number,
  position,
  metadata,
}: LoggedEvent): EventSourceDto => ({
  ...{ stream, number, position: position.toString(), hash: metadata.hash },
});
