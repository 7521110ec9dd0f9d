import { Text } from '../../platform/http/fields.js';
import {
  FLAG,
  many,
  NUMBER,
  one,
  orNull,
  ApiField,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

export class ProjectionPath {
  @Text({ min: 1, max: 64, pattern: /^[a-z_]+$/ })
  name!: string;
}

export class StoppedAtDto {
  @ApiField(TEXT)
  readonly position!: string;

  @ApiField(TEXT, { description: 'The event’s stream; `$all` if no event is the cause.' })
  readonly stream!: string;

  @ApiField(WHOLE)
  readonly number!: number;

  @ApiField(TEXT)
  readonly reason!: string;
}

/** The progress of a read model. */
export class ProjectionDto {
  @ApiField(TEXT)
  readonly name!: string;

  @ApiField(orNull(TEXT), {
    description: 'A position in the log, in decimal; null before the first event.',
  })
  readonly position!: string | null;

  @ApiField(orNull(one(StoppedAtDto)), {
    description: 'The place at which the read model stopped, and why.',
  })
  readonly stopped!: StoppedAtDto | null;

  @ApiField(FLAG, { description: 'A new version is being built beside it.' })
  readonly rebuilding!: boolean;

  @ApiField(orNull(NUMBER), { description: 'Seconds since the leader’s last heartbeat.' })
  readonly heartbeat_seconds_ago!: number | null;
}

export class ProjectionsDto {
  @ApiField(many(ProjectionDto))
  readonly projections!: readonly ProjectionDto[];
}

export class RebuildDto {
  @ApiField(TEXT)
  readonly name!: string;

  @ApiField({ type: 'boolean', enum: [true] })
  readonly rebuilding!: true;
}
