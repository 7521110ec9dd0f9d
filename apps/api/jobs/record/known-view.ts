import { READ_KINDS, type ReadKind } from '#domain/job/events.js';
import type { ReadPlace, ThingRead } from '#domain/job/things-read.js';
import {
  ApiField,
  INSTANT,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import { FactDto } from '../../sem/fact-view.js';
import { JobDto } from '../job-view.js';

export class ReadPlaceDto implements ReadPlace {
  @ApiField(WHOLE, { description: 'The number of the job’s event.' }) readonly number!: number;
  @ApiField(WHOLE) readonly tick!: number;
  @ApiField(oneOf(...READ_KINDS)) readonly kind!: ReadKind;
  @ApiField(INSTANT) readonly recorded_at!: string;
  @ApiField(TEXT) readonly trace_id!: string;

  @ApiField(orNull(TEXT), {
    description:
      'The position of the log at which a search read; null for a read at the job’s snapshots.',
  })
  readonly as_of!: string | null;
}

export class ThingReadDto implements ThingRead {
  @ApiField(TEXT, { description: 'The key of a fact, or the id of what else was read.' })
  readonly id!: string;

  @ApiField(WHOLE, { description: 'How often the job had read it.' }) readonly times!: number;
  @ApiField(one(ReadPlaceDto)) readonly last!: ReadPlaceDto;

  @ApiField(orNull(one(FactDto)), {
    description:
      'The fact as the last read saw it; null for what is no fact, was not there, or is hidden from the caller.',
  })
  readonly fact!: FactDto | null;
}

/** The memory of a job after one of its events, and what it had read by then. */
export class JobKnewDto {
  @ApiField(one(JobDto), { description: 'Its memory.' }) readonly job!: JobDto;

  @ApiField(INSTANT, { description: 'When its last event until then was recorded.' })
  readonly recorded_at!: string;

  @ApiField(orNull(TEXT), { description: 'The user for whom it ran.' })
  readonly user_id!: string | null;

  @ApiField(many(ThingReadDto), {
    description: 'What it had read, in the order of the first reads.',
  })
  readonly read!: readonly ThingReadDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;

  @ApiField(WHOLE, {
    description: 'Reads of further things than the first 10,000, which no page has.',
  })
  readonly left_out!: number;
}
