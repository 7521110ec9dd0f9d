import { INTEGRITY_PROBLEMS, type IntegrityProblem } from '#event-store/log-check.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

/** The event that a finding is about. */
export class FindingPlace {
  @ApiField(TEXT) readonly stream!: string;

  @ApiField(WHOLE, { description: 'The number of the event in its stream, from 0.' })
  readonly number!: number;
}

export class IntegrityFindingDto extends FindingPlace {
  @ApiField(oneOf(...INTEGRITY_PROBLEMS)) readonly problem!: IntegrityProblem;
}

/** How a caller can say from where it starts a verification. */
export const CALLERS_MEANS = ['console', 'command_line'] as const;
const MEANS = [...CALLERS_MEANS, 'api', 'schedule'] as const;

/** The caller that started a verification, and the tool that it used. */
export interface Maker {
  readonly made_by: string;
  readonly means: (typeof MEANS)[number];
}

/** The figures of a verification of the event log. */
export class IntegrityRunDto implements Partial<Maker> {
  @ApiField(INSTANT) readonly started_at!: string;

  @ApiField(TEXT, {
    optional: true,
    description: 'The caller; `system`: the schedule. Earlier releases did not record it.',
  })
  readonly made_by?: Maker['made_by'];

  @ApiField(oneOf(...MEANS), {
    optional: true,
    description:
      'From where it was started, as the caller said. Earlier releases did not record it.',
  })
  readonly means?: Maker['means'];

  @ApiField(orNull(INSTANT), { description: 'Null while the verification runs.' })
  readonly finished_at!: string | null;

  @ApiField(WHOLE, { description: 'The number of events that were checked.' })
  readonly events!: number;

  @ApiField(WHOLE, { description: 'The number of streams; 0 while the verification runs.' })
  readonly streams!: number;

  @ApiField(FLAG, { description: 'Whether the decisions are replayed as well.' })
  readonly decisions!: boolean;

  @ApiField(WHOLE, { description: 'The number of streams whose decisions were replayed.' })
  readonly decided!: number;

  @ApiField(WHOLE, { description: 'The number of all findings.' })
  readonly found!: number;
}

/** A verification of the event log: its result, or its progress. */
export class IntegrityReportDto extends IntegrityRunDto {
  @ApiField(many(IntegrityFindingDto), { description: 'The first 1,000 findings.' })
  readonly findings!: readonly IntegrityFindingDto[];
}

export class IntegrityFindingsDto {
  @ApiField(orNull(one(IntegrityReportDto)), {
    description: 'The last verification that finished; null before the first one.',
  })
  readonly last!: IntegrityReportDto | null;

  @ApiField(orNull(one(IntegrityReportDto)), { description: 'The verification that runs now.' })
  readonly running!: IntegrityReportDto | null;
}

export class IntegrityRunsDto {
  @ApiField(many(IntegrityRunDto), {
    description: 'The newest first; the last 100 that ended with a result.',
  })
  readonly runs!: readonly IntegrityRunDto[];
}
