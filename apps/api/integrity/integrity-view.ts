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

/** The figures of a verification of the event log. */
export class IntegrityRunDto {
  @ApiField(INSTANT) readonly started_at!: string;

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
