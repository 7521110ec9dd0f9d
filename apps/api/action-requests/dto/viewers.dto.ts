import { ApiField, list, TEXT } from '../../platform/http/answer-fields.js';
import { OneOf } from '../../platform/http/fields.js';

export class LookDto {
  @OneOf(['true'], { optional: true, description: '`true` if the caller no longer looks at it.' })
  leaving?: 'true';
}

export class ViewersDto {
  @ApiField(list(TEXT), { description: 'The subs that look at the request now, sorted.' })
  readonly viewers!: readonly string[];
}
