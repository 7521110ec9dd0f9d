import { MAX_QUERY_CHARACTERS } from '#domain/query/limits.js';
import type { JsonObject } from '#domain/json.js';
import { AnyObject, Text, UserIdText } from '../../platform/http/fields.js';

export class RouteDto {
  @Text({ min: 1, max: MAX_QUERY_CHARACTERS })
  query_text!: string;

  @UserIdText({ optional: true })
  user_id?: string;

  @AnyObject({ optional: true, description: 'At most 4 KB; no routing rule reads them.' })
  context_tags?: JsonObject;
}
