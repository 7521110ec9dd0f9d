import { Text } from '../../platform/http/fields.js';
import {
  FLAG,
  many,
  NUMBER,
  one,
  orNull,
  Shown,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

export class ProjectionPath {
  @Text({ min: 1, max: 64, pattern: /^[a-z_]+$/ })
  name!: string;
}

export class StoppedAtDto {
  @Shown(TEXT)
  readonly position!: string;

  @Shown(TEXT)
  readonly stream!: string;

  @Shown(WHOLE)
  readonly number!: number;

  @Shown(TEXT)
  readonly reason!: string;
}

/** The progress of a read model. */
export class ProjectionDto {
  @Shown(TEXT)
  readonly name!: string;

  @Shown(orNull(TEXT), {
    description: 'A position in the log, in decimal; null before the first event.',
  })
  readonly position!: string | null;

  @Shown(orNull(one(StoppedAtDto)), {
    description: 'The event at which the read model stopped because it cannot project it.',
  })
  readonly stopped!: StoppedAtDto | null;

  @Shown(FLAG, { description: 'A new version is being built beside it.' })
  readonly rebuilding!: boolean;

  @Shown(orNull(NUMBER), { description: 'Seconds since the leader’s last heartbeat.' })
  readonly heartbeat_seconds_ago!: number | null;
}

export class ProjectionsDto {
  @Shown(many(ProjectionDto))
  readonly projections!: readonly ProjectionDto[];
}

export class RebuildDto {
  @Shown(TEXT)
  readonly name!: string;

  @Shown({ type: 'boolean', enum: [true] })
  readonly rebuilding!: true;
}
