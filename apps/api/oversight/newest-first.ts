import { PositionText, Whole } from '../platform/http/fields.js';
import { ReadRequest } from '../platform/http/request.js';
import type { Answer } from '../platform/http/answer.js';

/** A read of a list page by page, the newest first. */
export abstract class NewestFirst<Body> extends ReadRequest<Answer<Body>> {
  @PositionText({ optional: true, description: 'The `next_cursor` of the page before.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
}
