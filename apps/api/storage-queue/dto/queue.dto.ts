import { Text, Whole } from '../../platform/http/fields.js';

export class QueueQuery {
  @Text({
    optional: true,
    min: 1,
    max: 512,
    pattern: /^[\w-]+$/,
    description: 'The next_cursor of the previous page.',
  })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 })
  limit?: number;
}

export class QueuedWritePath {
  @Text({ min: 1, max: 64, pattern: /^[0-9a-f-]{1,64}$/, description: 'The write’s command_id.' })
  id!: string;
}
