import { ApiSchema } from '@nestjs/swagger';
import { ApiField, INSTANT, TEXT, WHOLE } from '../../platform/http/answer-fields.js';

@ApiSchema({
  description: 'Where an event stands in the log, and its hash in the chain of its stream.',
})
export class SourceEventDto {
  @ApiField(TEXT)
  readonly stream!: string;

  @ApiField(WHOLE, { description: 'Its number in the stream, from 0.' })
  readonly number!: number;

  @ApiField(TEXT, { description: 'Its position in the log, as in Mace-Position.' })
  readonly position!: string;

  @ApiField(TEXT)
  readonly hash!: string;

  @ApiField(INSTANT, { description: 'The wall-clock time of the append.' })
  readonly recorded_at!: string;
}
