import {
  FLAG,
  many,
  NUMBER,
  one,
  orNull,
  ApiField,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

export class StoppedAtDto {
  @ApiField(TEXT) readonly position!: string;

  @ApiField(TEXT, { description: 'The event’s stream; `$all` if no event is the cause.' })
  readonly stream!: string;

  @ApiField(WHOLE) readonly number!: number;
  @ApiField(TEXT) readonly reason!: string;
}

/** Rows that were not as the log gives them. */
export class DifferentRowsDto {
  @ApiField(TEXT) readonly table!: string;

  @ApiField({ type: 'string', enum: ['changed', 'missing', 'extra'] })
  readonly difference!: 'changed' | 'missing' | 'extra';

  @ApiField(orNull(TEXT), {
    description: 'The key of the row; null for rows that are only counted.',
  })
  readonly key!: string | null;

  @ApiField(WHOLE) readonly count!: number;
}

/** The progress of a read model. */
export class ProjectionDto {
  @ApiField(TEXT) readonly name!: string;

  @ApiField(orNull(TEXT), {
    description: 'A position in the log, in decimal; null before the first event.',
  })
  readonly position!: string | null;

  @ApiField(orNull(NUMBER), {
    description:
      'The age in seconds of the oldest event that it does not show; 0 if it shows the whole log, null if the log does not answer.',
  })
  readonly lag_seconds!: number | null;

  @ApiField(orNull(one(StoppedAtDto)), {
    description: 'The place at which the read model stopped, and why.',
  })
  readonly stopped!: StoppedAtDto | null;

  @ApiField(FLAG, { description: 'Its new tables do not show the whole log yet.' })
  readonly filling!: boolean;

  @ApiField(FLAG, { description: 'A new version is being built beside it.' })
  readonly rebuilding!: boolean;

  @ApiField(orNull(TEXT), {
    description: 'The position that the new version has reached; null without a rebuild.',
  })
  readonly rebuilt_to!: string | null;

  @ApiField(orNull(TEXT), {
    description: 'Why it is rebuilt, if its rows came from another log.',
  })
  readonly another_log!: string | null;

  @ApiField(orNull(TEXT), { description: 'host:pid of the process that leads it or led it last.' })
  readonly leader!: string | null;

  @ApiField(orNull(NUMBER), { description: 'Seconds since the leader’s last heartbeat.' })
  readonly heartbeat_seconds_ago!: number | null;

  @ApiField(orNull(TEXT), {
    description: 'When its rows were last compared with the log, or filled from it.',
  })
  readonly compared_at!: string | null;

  @ApiField(many(DifferentRowsDto), {
    description: 'The rows that were not as the log gives them. The comparison has replaced them.',
  })
  readonly differences!: readonly DifferentRowsDto[];
}

export class ProjectionsDto {
  @ApiField(many(ProjectionDto)) readonly projections!: readonly ProjectionDto[];

  @ApiField(orNull(TEXT), {
    description: 'The position of the log’s last event; null if the log does not answer.',
  })
  readonly log_end!: string | null;
}

export class RebuildDto {
  @ApiField(TEXT) readonly name!: string;
  @ApiField({ type: 'boolean', enum: [true] }) readonly rebuilding!: true;
}
