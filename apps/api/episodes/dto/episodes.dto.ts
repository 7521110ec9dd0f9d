import {
  IdText,
  Instant,
  Nested,
  OneOf,
  SeedText,
  Text,
  Whole,
  UserIdText,
} from '../../platform/http/fields.js';

export class TimeWindow {
  @Instant({ optional: true })
  from?: string;

  @Instant({ optional: true })
  to?: string;
}

const EPISODE_RANKINGS = ['overlap', 'relevance'] as const;
export type EpisodeRanking = (typeof EPISODE_RANKINGS)[number];

export class EpisodesQueryDto {
  @Text({
    max: 16_000,
    description: 'Plain words; a result has at least one of them in its summary.',
  })
  query_terms!: string;

  @Whole({ optional: true, min: 1, max: 100, description: 'Default 10.' })
  max_results?: number;

  @OneOf(EPISODE_RANKINGS, {
    optional: true,
    description:
      '`overlap` (the default) counts common words (SPEC E2); `relevance` ranks as a search does (SPEC Q2).',
  })
  ranking?: EpisodeRanking;

  @Nested(TimeWindow, {
    optional: true,
    description: 'Bounds of created_seeded_ts, inclusive.',
  })
  time_window?: TimeWindow;

  @UserIdText({
    optional: true,
    description: 'The user that an agent’s token without a user acts for (SPEC I9).',
  })
  user_id?: string;

  @Text({
    optional: true,
    max: 73,
    pattern: /^episodes:[0-9a-f]{64}$/,
    description: '`episodes:<hash>`, as pinned by a job.',
  })
  snapshot_id?: string;

  @SeedText({
    optional: true,
    description: 'Reads at that job’s snapshot and records the read in the job (SPEC J10).',
  })
  job_seed?: string;
}

export class EpisodePath {
  @IdText()
  id!: string;
}
