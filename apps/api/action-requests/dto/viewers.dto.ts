import { ApiSchema } from '@nestjs/swagger';
import { ApiField, list, many, TEXT } from '../../platform/http/answer-fields.js';
import { OneOf } from '../../platform/http/fields.js';

export class LookDto {
  @OneOf(['true'], { optional: true, description: '`true` if the caller no longer looks at it.' })
  leaving?: 'true';
}

export class ViewersDto {
  @ApiField(list(TEXT), { description: 'The subs that look at the request now, sorted.' })
  readonly viewers!: readonly string[];
}

@ApiSchema({ description: 'A request at which reviewers look now.' })
export class ViewedRequestDto {
  @ApiField(TEXT)
  readonly request_id!: string;

  @ApiField(list(TEXT), { description: 'Their subs, sorted.' })
  readonly viewers!: readonly string[];
}

export class ViewedRequestsDto {
  @ApiField(many(ViewedRequestDto))
  readonly requests!: readonly ViewedRequestDto[];
}
