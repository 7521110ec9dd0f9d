import type { Json, JsonObject } from '#domain/json.js';
import { AMENDMENT_EFFECTS, type AmendmentEffect } from '#domain/reflective-log/events.js';
import {
  AnyJson,
  AnyObject,
  Flag,
  IdText,
  OneOf,
  PositionText,
  Text,
  TextList,
  Whole,
} from '../../platform/http/fields.js';

const MAX_TEXT = 4_000;

export class LogPath {
  @Text({ min: 36, max: 64, pattern: /^[0-9a-f-]{36}$|^[0-9a-f]{64}$/ })
  id!: string;
}

export class LogQuery {
  @Flag({
    optional: true,
    description: 'Includes the complete texts of outputs that are stored as artifacts.',
  })
  artifacts?: boolean;
}

export class LogsQuery {
  @IdText({ optional: true })
  job_seed?: string;

  @IdText({ optional: true })
  query_id?: string;

  @PositionText({ optional: true })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 100 })
  limit?: number;
}

export class QuarantineQuery {
  @PositionText({ optional: true })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 100 })
  limit?: number;
}

export class AmendmentDto {
  @AnyObject({ description: 'The corrections or the new evidence; at most 64 KB canonical.' })
  changes!: JsonObject;

  @OneOf(AMENDMENT_EFFECTS)
  effect!: AmendmentEffect;
}

export class FeedbackDto {
  @Whole({ optional: true, min: 1, max: 5 })
  rating?: number;

  @Text({ optional: true, min: 1, max: MAX_TEXT })
  comment?: string;
}

export class LabelDto {
  @AnyJson({ description: 'The ground truth; at most 64 KB canonical.' })
  ground_truth_label!: Json;
}

export class TagsDto {
  @TextList({ max: 50, maxLength: 64 })
  audit_tags!: string[];
}

export class ReviewDto {
  @Text({ min: 1, max: MAX_TEXT })
  reason!: string;
}
