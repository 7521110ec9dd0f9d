import type { ReplayMode } from '#domain/replay/stream-replay.js';
import { SEED_PATTERN } from '#domain/determinism/ids.js';
import { EventNumber, OneOf, PositionText, Text, Whole } from '../../platform/http/fields.js';

export class JobsQuery {
  @OneOf(['running', 'ended'], { optional: true })
  status?: 'running' | 'ended';

  @Text({ optional: true, min: 1, max: 128, pattern: SEED_PATTERN })
  session_id?: string;

  @PositionText({ optional: true })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 })
  limit?: number;
}

export class EventsQuery {
  @EventNumber({ optional: true })
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
