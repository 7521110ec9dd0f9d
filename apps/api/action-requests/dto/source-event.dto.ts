import { ApiSchema } from '@nestjs/swagger';
import { ApiField, INSTANT } from '../../platform/http/answer-fields.js';
import { EventSourceDto } from '../../platform/http/event-source.dto.js';

@ApiSchema({
  description: 'Where an event stands in the log, and its hash in the chain of its stream.',
})
export class SourceEventDto extends EventSourceDto {
  @ApiField(INSTANT, { description: 'The wall-clock time of the append.' })
  readonly recorded_at!: string;
}
