import { MAX_CHARACTERS } from '#domain/free-text.js';
import type { Json, JsonObject } from '#domain/json.js';
import { AMENDMENT_EFFECTS, type AmendmentEffect } from '#domain/reflective-log/events.js';
import { AnyJson, AnyObject, OneOf, Text, TextList, Whole } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { LogId } from './log-fields.js';
import {
  AmendmentViewDto,
  AuditTagsDto,
  FeedbackViewDto,
  LabelViewDto,
  ReviewViewDto,
} from './log-view.js';

/** An addition to a log (SPEC L4). */
abstract class Addition<Body> extends WriteRequest<Body> {
  @LogId() id!: string;
}

@Describes({
  summary: 'Add a correction or comment to a log, which itself stays unchanged',
  roles: { own: ['agent', 'user'], of: 'log', all: ['council', 'admin'] },
  answers: [201, AmendmentViewDto],
  fails: ['NOT_FOUND'],
})
export class AmendLog extends Addition<AmendmentViewDto> {
  readonly type = 'amend';

  @AnyObject({ description: 'The corrections or the new evidence; at most 64 KB canonical.' })
  changes!: JsonObject;

  @OneOf(AMENDMENT_EFFECTS) effect!: AmendmentEffect;
}

@Describes({
  summary: 'Add the user’s feedback on the answer',
  roles: { own: ['user'], of: 'log' },
  answers: [201, FeedbackViewDto],
  fails: ['NOT_FOUND'],
})
export class GiveFeedback extends Addition<FeedbackViewDto> {
  readonly type = 'give_feedback';

  @Whole({ optional: true, min: 1, max: 5 }) rating?: number;
  @Text({ optional: true, min: 1, max: MAX_CHARACTERS }) comment?: string;
}

@Describes({
  summary: 'Add the ground truth',
  roles: { own: ['agent'], of: 'log', all: ['council', 'auditor', 'admin'] },
  answers: [201, LabelViewDto],
  fails: ['NOT_FOUND'],
})
export class LabelLog extends Addition<LabelViewDto> {
  readonly type = 'label';

  @AnyJson({ description: 'The ground truth; at most 64 KB canonical.' })
  ground_truth_label!: Json;
}

@Describes({
  summary: 'Add audit tags',
  roles: { own: ['agent'], of: 'log', all: ['auditor', 'admin'] },
  answers: [201, AuditTagsDto],
  fails: ['NOT_FOUND'],
})
export class TagLog extends Addition<AuditTagsDto> {
  readonly type = 'tag';

  @TextList({ max: 50, maxLength: 64 }) audit_tags!: string[];
}

@Describes({
  summary: 'Request a review by the council',
  roles: { own: ['agent', 'user'], of: 'log', all: ['admin'] },
  answers: [201, ReviewViewDto],
  fails: ['NOT_FOUND'],
})
export class RequestReview extends Addition<ReviewViewDto> {
  readonly type = 'request_review';

  @Text({ min: 1, max: MAX_CHARACTERS }) reason!: string;
}

/** The requests that add to a log. */
export const ADDITIONS = [AmendLog, GiveFeedback, LabelLog, TagLog, RequestReview] as const;
export type LogAddition = InstanceType<(typeof ADDITIONS)[number]>;
