import { STREAM_CATEGORIES } from '#domain/replay/stream-rules.js';
import { Text } from '../../platform/http/fields.js';

const POSITION_OR_END = /^(\d{1,18}|end)$/;

export class FollowEventsQuery {
  @Text({
    optional: true,
    max: 18,
    pattern: POSITION_OR_END,
    description:
      'Only events after this position; `end`: only events after the request. The default is the whole log. `Last-Event-ID` replaces it.',
  })
  after?: string;

  @Text({
    optional: true,
    max: 18,
    pattern: POSITION_OR_END,
    description:
      'The stream ends after this position; `end`: after the log’s last event at the time of the request. By default, it stays open.',
  })
  until?: string;

  @Text({
    optional: true,
    max: 256,
    pattern: /^[a-z]+(,[a-z]+)*$/,
    description: `Only events of these categories, separated by commas: ${STREAM_CATEGORIES.join(', ')}.`,
  })
  categories?: string;
}
