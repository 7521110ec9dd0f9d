import { EPISODE_SOURCES, type EpisodeSource } from '#domain/job/events.js';
import type { Json, JsonObject } from '#domain/json.js';
import {
  INSTANT,
  JSON_OBJECT,
  JSON_VALUE,
  list,
  many,
  NUMBER,
  oneOf,
  Shown,
  TEXT,
} from '../../platform/http/answer-fields.js';

export class FoundEpisodeDto {
  @Shown(TEXT)
  readonly episodic_id!: string;

  @Shown(NUMBER, {
    description: 'Matching tokens divided by all tokens of the summary, in (0, 1].',
  })
  readonly score!: number;

  @Shown(TEXT, { description: 'Redacted unless the caller may see the full text.' })
  readonly summary!: string;

  @Shown(INSTANT)
  readonly created_seeded_ts!: string;

  @Shown(list(JSON_OBJECT))
  readonly evidence!: readonly JsonObject[];
}

export class FoundEpisodesDto {
  @Shown(many(FoundEpisodeDto), { description: 'Best first.' })
  readonly results!: readonly FoundEpisodeDto[];
}

export class EpisodeViewDto {
  @Shown(TEXT)
  readonly episodic_id!: string;

  @Shown(TEXT)
  readonly job_seed!: string;

  @Shown(oneOf(...EPISODE_SOURCES))
  readonly source!: EpisodeSource;

  @Shown(TEXT)
  readonly summary!: string;

  @Shown(list(JSON_OBJECT))
  readonly evidence!: readonly JsonObject[];

  @Shown(JSON_VALUE, { optional: true, description: 'Absent if the caller must not see it.' })
  readonly payload?: Json;

  @Shown(INSTANT)
  readonly created_seeded_ts!: string;

  @Shown(JSON_OBJECT)
  readonly provenance!: JsonObject;
}
