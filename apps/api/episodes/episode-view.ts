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
  ApiField,
  TEXT,
} from '../platform/http/answer-fields.js';

const SEEDED = {
  description: 'Logical, and not a date, if the start of the job gave no time.',
} as const;

export class FoundEpisodeDto {
  @ApiField(TEXT) readonly episodic_id!: string;

  @ApiField(NUMBER, {
    description: 'Matching tokens divided by all tokens of the summary, in (0, 1].',
  })
  readonly score!: number;

  @ApiField(TEXT, { description: 'Redacted unless the caller may see the full text.' })
  readonly summary!: string;

  @ApiField(INSTANT, SEEDED) readonly created_seeded_ts!: string;
  @ApiField(list(JSON_OBJECT)) readonly evidence!: readonly JsonObject[];
}

export class FoundEpisodesDto {
  @ApiField(many(FoundEpisodeDto), { description: 'Best first.' })
  readonly results!: readonly FoundEpisodeDto[];
}

export class EpisodeViewDto {
  @ApiField(TEXT) readonly episodic_id!: string;
  @ApiField(TEXT) readonly job_seed!: string;
  @ApiField(oneOf(...EPISODE_SOURCES)) readonly source!: EpisodeSource;
  @ApiField(TEXT) readonly summary!: string;
  @ApiField(list(JSON_OBJECT)) readonly evidence!: readonly JsonObject[];

  @ApiField(JSON_VALUE, {
    optional: true,
    description:
      'Absent if the caller must not see it; a mark with `withheld` if its consent was revoked beside the write.',
  })
  readonly payload?: Json;

  @ApiField(INSTANT, SEEDED) readonly created_seeded_ts!: string;
  @ApiField(JSON_OBJECT) readonly provenance!: JsonObject;
}
