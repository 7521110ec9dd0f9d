import { InvalidArgumentError, Option } from 'commander';
import { RANKING_VERSIONS, type RankingVersion } from '#domain/search/rankings.js';

/** `--ranking-version`: the version of the ranking `relevance`. */
export const rankingVersionOption = (): Option =>
  new Option(
    '--ranking-version <n>',
    `the version of the ranking “relevance”: ${RANKING_VERSIONS.join(' or ')} (default: the latest)`,
  ).argParser((text): RankingVersion => {
    const version = RANKING_VERSIONS.find((each) => String(each) === text);
    if (version === undefined)
      throw new InvalidArgumentError(`The versions are ${RANKING_VERSIONS.join(' and ')}.`);
    return version;
  });
