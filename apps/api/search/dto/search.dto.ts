import { SPACES, type Space } from '#domain/memory-contract/item.js';
import { SEARCH_KINDS, type SearchKind } from '#domain/search/kinds.js';
import { LATEST_RANKING, type RankingVersion } from '#domain/search/rankings.js';
import { TimeWindow } from '../../episodes/dto/episodes.dto.js';
import {
  Flag,
  Nested,
  OneOf,
  PositionText,
  SeedText,
  SomeOf,
  Text,
  TextList,
  Whole,
  UserIdText,
} from '../../platform/http/fields.js';

export class SearchDto {
  @Text({
    max: 16_000,
    description:
      'Words, in any form. A hit has each phrase in quotes, and no word or phrase with a minus sign before it.',
  })
  query!: string;

  @SomeOf(SEARCH_KINDS, {
    optional: true,
    max: SEARCH_KINDS.length,
    description: 'Default: all kinds.',
  })
  kinds?: SearchKind[];

  @SeedText({ optional: true, description: 'Finds only what is in this job.' })
  job_seed?: string;

  @Text({ optional: true, min: 1, max: 128, description: 'Finds only what is in this session.' })
  session_id?: string;

  @OneOf(SPACES, {
    optional: true,
    description: 'Finds only items of this space of the Memory Contract.',
  })
  space?: Space;

  @TextList({
    optional: true,
    max: 16,
    maxLength: 256,
    description: 'Finds only notes in this namespace or below it.',
  })
  namespace?: string[];

  @Nested(TimeWindow, { optional: true, description: 'Bounds of the hits’ time, inclusive.' })
  time_window?: TimeWindow;

  @PositionText({
    optional: true,
    description:
      'The position in the log at which memory is searched. The same search at the same position always gives the same answer.',
  })
  as_of?: string;

  @Whole({ optional: true, min: 1, max: 100, description: 'Default 10.' })
  max_results?: number;

  @Flag({ optional: true, description: 'Shows what each hit’s score is made of.' })
  explain?: boolean;

  @SeedText({
    optional: true,
    description: 'The job that records what was found, because it may decide on it (SPEC J10).',
  })
  record_in?: string;

  @Whole({
    optional: true,
    min: 1,
    max: LATEST_RANKING,
    description: 'The version of the ranking; by default the latest.',
  })
  ranking_version?: RankingVersion;

  @Flag({
    optional: true,
    description: 'False if quotes and minus signs in the query are only signs; default true.',
  })
  operators?: boolean;

  @UserIdText({
    optional: true,
    description: 'The user that an agent’s token without a user acts for (SPEC I9).',
  })
  user_id?: string;

  @Text({
    optional: true,
    min: 1,
    max: 4_096,
    description: 'The root of the project whose memory is searched as well (SPEC M2).',
  })
  project_root?: string;
}
