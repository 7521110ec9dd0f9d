import { Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { flaggedSpans, isClearable } from '#domain/action-request/clearance.js';
import type { ActionRequested } from '#domain/action-request/events.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import type { Category } from '#domain/privacy/finding.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  list,
  many,
  one,
  oneOf,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import { ActionRequestViewDto, PersonDto, SourceEventDto } from '../action-request-view.js';
import { sourceEventOf } from '../evidence/source-events.js';
import { ShownRequests } from '../read/shown-requests.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

@ApiSchema({ description: 'Personal data that was removed or sealed; never the data itself.' })
export class DossierRedactionDto {
  @ApiField(TEXT) readonly field!: string;

  @ApiField(TEXT, { description: 'The type that the rule finds, such as `email`.' })
  readonly rule!: string;

  @ApiField(TEXT) readonly reason!: string;
}

@ApiSchema({ description: 'A council member’s word that a finding is not personal data.' })
export class ClearanceDto {
  @ApiField(one(PersonDto)) readonly by!: PersonDto;
  @ApiField(TEXT) readonly reason!: string;
  @ApiField(INSTANT) readonly at!: string;
}

@ApiSchema({
  description: 'A finding in the current value: its place and its type, never the text.',
})
export class FlaggedSpanDto {
  @ApiField(TEXT, { description: 'Such as `email`.' })
  readonly type!: string;

  @ApiField(oneOf('high', 'medium', 'low')) readonly category!: Category;

  @ApiField(list({ oneOf: [{ type: 'string' }, { type: 'integer' }] }), {
    description:
      'The way to the text in the value: keys of objects, and indexes from 0. Of a key with a finding, it has the number among the sorted keys.',
  })
  readonly path!: readonly (string | number)[];

  @ApiField(FLAG, { description: 'Whether the finding is in the key, not in its value.' })
  readonly in_key!: boolean;

  @ApiField(list(WHOLE), {
    description:
      'Where it begins and ends in the text, in UTF-16 code units; the end is exclusive.',
  })
  readonly span!: readonly number[];

  @ApiField(FLAG, {
    description:
      'False in scope `user` and for a value with data of category high: nobody can clear those.',
  })
  readonly may_be_cleared!: boolean;

  @ApiField(many(ClearanceDto), {
    description: 'Who says that it is not personal data; it takes two members.',
  })
  readonly cleared_by!: readonly ClearanceDto[];
}

export class RequestItselfFields {
  @ApiField(one(ActionRequestViewDto)) readonly request!: ActionRequestViewDto;
  @ApiField(many(DossierRedactionDto)) readonly redactions!: readonly DossierRedactionDto[];

  @ApiField(many(FlaggedSpanDto), {
    description:
      'The findings in the current value, in the order of their numbers, as far as they are recorded.',
  })
  readonly flagged_spans!: readonly FlaggedSpanDto[];

  @ApiField(one(SourceEventDto), { description: 'The event of the proposal.' })
  readonly source_event!: SourceEventDto;
}

/** The request as its own view shows it, with what the gate found in it. */
@Injectable()
export class RequestItself implements DossierPart<RequestItselfFields> {
  constructor(private readonly shown: ShownRequests) {}

  async of({ viewer, state, request, made }: ReviewedRequest): Promise<RequestItselfFields> {
    return {
      request: (await this.shown.of(viewer, state)) as unknown as ActionRequestViewDto,
      redactions: redactionsView(request),
      flagged_spans: spansView(state),
      source_event: sourceEventOf(made),
    };
  }
}

const redactionsView = ({ redactions = [] }: ActionRequested): DossierRedactionDto[] =>
  redactions.map(({ field, type: rule, redaction_reason: reason }) => ({ field, rule, reason }));

const spansView = (state: ActionRequestState): FlaggedSpanDto[] => {
  const may_be_cleared = isClearable(state);
  return flaggedSpans(state).map(({ finding, clearances }) => {
    const { type, category, path, in_key, span } = finding;
    const cleared_by = clearances.map(({ cleared_by: by, reason, at }) => ({ by, reason, at }));
    return { type, category, path, in_key, span, may_be_cleared, cleared_by };
  });
};
