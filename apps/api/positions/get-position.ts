import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ApiField, INSTANT, FLAG, orNull, TEXT } from '../platform/http/answer-fields.js';
import { MomentText } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { type Moment, Moments } from '../moments/moments.js';

export class MomentDto implements Moment {
  @ApiField(INSTANT) readonly at!: string;

  @ApiField(orNull(TEXT), {
    description:
      'The position of the last event before the first one that was recorded later; null if the log began later. Reads of the past take it as `at`, searches and recalls also as `as_of`.',
  })
  readonly position!: string | null;

  @ApiField(orNull(TEXT), { description: 'The hash of that event.' })
  readonly hash!: string | null;

  @ApiField(FLAG, {
    description:
      'True once the log has an event that was recorded later. Until then, the next event may still belong to this time.',
  })
  readonly final!: boolean;
}

@Describes({
  summary: 'The position at which the log ended at a time',
  // A position says nothing of what stands there.
  roles: { all: ['agent', 'user', 'admin', 'auditor', 'council'] },
  example: { at: '2026-11-25T10:32:00Z' },
  answers: [200, MomentDto],
  reads: ['recorded_times'],
})
export class GetPosition extends ReadRequest<MomentDto> {
  @MomentText({ description: 'A time that has passed, or the position of an event.' }) at!: string;
}

@QueryHandler(GetPosition)
export class GetPositionHandler implements IQueryHandler<GetPosition> {
  constructor(private readonly moments: Moments) {}

  execute({ at }: GetPosition): Promise<MomentDto> {
    return this.moments.at(at);
  }
}
