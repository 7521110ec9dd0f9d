import type { Json } from '#domain/json.js';
import { AnyObject, TextList } from '../../platform/http/fields.js';

const pointers = { optional: true, max: 100, maxLength: 1_000 };

/** A condition on the structure of entries, for example `{"equals": {"/type": "fact"}}` (SPEC J8). */
export class FindDto {
  @AnyObject({ optional: true, description: 'JSON Pointer → the required value at that place.' })
  equals?: Record<string, Json>;

  @TextList(pointers)
  exists?: string[];

  @TextList(pointers)
  absent?: string[];
}
