import type { ReplayMode } from '#domain/replay/stream-replay.js';
import { SEED_PATTERN } from '#domain/determinism/ids.js';
import { OneOf, Text, Whole } from '../../platform/http/fields.js';

export class JobsQuery {
  @OneOf(['running', 'ended'], { optional: true })
  status?: 'running' | 'ended';

  @Text({ optional: true, min: 1, max: 128, pattern: SEED_PATTERN })
  session_id?: string;

  @Text({ optional: true, max: 20, pattern: /^\d{1,20}$/ })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 })
  limit?: number;
}

export class EventsQuery {
  @Whole({ optional: true, min: 0, max: Number.MAX_SAFE_INTEGER })
  from?: number;

  @Whole({ optional: true, min: 1, max: 1_000 })
  limit?: number;

  @OneOf(['json', 'plain'], { optional: true })
  format?: 'json' | 'plain';
}

export class ReplayDto {
  @OneOf(['audit', 'strict'], { optional: true })
  mode?: ReplayMode;
}
