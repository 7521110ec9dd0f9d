import type { ReplayMode } from '#domain/replay/stream-replay.js';
import { EventNumber, OneOf, PositionText, SeedText, Whole } from '../../platform/http/fields.js';

export class JobsQuery {
  @OneOf(['running', 'ended'], { optional: true })
  status?: 'running' | 'ended';

  @SeedText({ optional: true })
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
