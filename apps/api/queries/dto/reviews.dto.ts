import { PositionText, Whole } from '../../platform/http/fields.js';

export class ReviewsQuery {
  @PositionText({ optional: true, description: 'The next_cursor of the previous page.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 })
  limit?: number;
}
