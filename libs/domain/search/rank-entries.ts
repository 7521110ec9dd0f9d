import { byteOrder } from '../determinism/ids.js';
import { analyse, type AnalysedText, termsOf } from './analysis.js';
import { ENGLISH, type Language } from './languages/language.js';
import { LATEST_RANKING, type Ranking, RANKINGS, type RankingVersion } from './rankings.js';
import {
  haveEveryPhrase,
  isOfNames,
  parseQuery,
  type QueryOptions,
  type SearchQuery,
} from './search-query.js';

/** A text that a search finds (SPEC Q1). */
export interface SearchEntry {
  readonly id: string;
  /** Title or key words; they weigh twice. */
  readonly title: string;
  readonly body: string;
  /** Milliseconds since 1970, in UTC. */
  readonly time: number;
  /** The job, or the store of a session, whose entries are each other's context; null for an entry on its own. */
  readonly group: string | null;
}

export type RankedEntry<Entry> = { readonly entry: Entry; readonly score: number };

/** An entry with its analysed text and its place in its group. */
interface Indexed<Entry> {
  readonly entry: Entry;
  readonly text: AnalysedText;
  readonly group: Group<Entry> | null;
  /** The index of the entry in its group. */
  readonly place: number;
}

interface Group<Entry> {
  readonly members: Indexed<Entry>[];
}

export interface RankingOptions extends QueryOptions {
  /** By default the latest version. */
  readonly version?: RankingVersion;
  /** The number of hits at most. */
  readonly limit: number;
}

/**
 * Ranks entries in memory by the rules of SPEC Q2. The entries of a group stand in their order in the log, and the
 * statistics are those of the given entries (SPEC Q3). Returns the best `limit` hits: by score, rounded to 1e-6,
 * then the newest first, then by id (SPEC Q4). Every read model must give the same answer.
 */
export function rankEntries<Entry extends SearchEntry>(
  entries: Iterable<Entry>,
  queryText: string,
  options: RankingOptions,
): RankedEntry<Entry>[] {
  const ranking = RANKINGS[options.version ?? LATEST_RANKING];
  const { language = ENGLISH } = options;
  const indexed = indexOf(entries, language);
  const scores = scoresOf(indexed, parseQuery(queryText, options), ranking, language);
  return [...scores]
    .map(([{ entry }, score]) => ({ entry, score: Math.round(score * 1e6) / 1e6 }))
    .filter(({ score }) => score > 0)
    .sort(byRank)
    .slice(0, options.limit);
}

function byRank(left: RankedEntry<SearchEntry>, right: RankedEntry<SearchEntry>): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.entry.time !== right.entry.time) return right.entry.time - left.entry.time;
  return byteOrder(left.entry.id, right.entry.id);
}

function indexOf<Entry extends SearchEntry>(
  entries: Iterable<Entry>,
  language: Language,
): Indexed<Entry>[] {
  const groups = new Map<string, Group<Entry>>();
  return Array.from(entries, (entry) => {
    const text = analyse(entry.title, entry.body, language);
    if (entry.group === null) return { entry, text, group: null, place: 0 };
    const group = groups.get(entry.group) ?? { members: [] };
    groups.set(entry.group, group);
    const indexed = { entry, text, group, place: group.members.length };
    group.members.push(indexed);
    return indexed;
  });
}

/** Returns the entries in the window around an entry, itself included. */
const windowOf = <Entry>(one: Indexed<Entry>, radius: number): readonly Indexed<Entry>[] =>
  one.group === null
    ? [one]
    : one.group.members.slice(Math.max(0, one.place - radius), one.place + radius + 1);

/** BM25's inverse document frequency. */
const rarity = (total: number, having: number): number =>
  Math.log(1 + (total - having + 0.5) / (having + 0.5));

function scoresOf<Entry extends SearchEntry>(
  indexed: readonly Indexed<Entry>[],
  query: SearchQuery,
  ranking: Ranking,
  language: Language,
): Map<Indexed<Entry>, number> {
  const named = ranking.label === 1 ? [] : labelsIn(indexed, query);
  if (isOfNames(query)) {
    const hits = indexed.filter((one) => passes(one, query));
    return new Map(hits.map((one) => [one, multiplierOf(one, query, named, ranking)]));
  }
  const terms = termsWithout(query.terms, named, language);
  const own = new Map<Indexed<Entry>, number>();
  const around = new Map<Indexed<Entry>, number>();
  const whole = new Map<Group<Entry>, number>();
  const add = <Key>(to: Map<Key, number>, key: Key, part: number): void => {
    to.set(key, (to.get(key) ?? 0) + part);
  };
  const { k1, b } = ranking;
  const saturated = (frequency: number, length: number): number =>
    (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length));
  const average = indexed.reduce((sum, { text }) => sum + text.length, 0) / indexed.length;
  const groups = new Set(indexed.flatMap(({ group }) => group ?? []));

  for (const term of terms) {
    const having = indexed.filter(({ text }) => text.frequencies.has(term));
    const weight = rarity(indexed.length, having.length);
    const inWindow = new Map<Indexed<Entry>, number>();
    const inGroup = new Map<Group<Entry>, number>();
    for (const one of having) {
      const frequency = one.text.frequencies.get(term) ?? 0;
      add(own, one, weight * saturated(frequency, one.text.length / average));
      for (const near of windowOf(one, ranking.radius)) add(inWindow, near, frequency);
      if (one.group !== null) add(inGroup, one.group, frequency);
    }
    for (const [one, frequency] of inWindow)
      add(around, one, weight * saturated(frequency, windowLength(one, ranking.radius) / average));
    const groupWeight = rarity(groups.size, inGroup.size);
    for (const [group, frequency] of inGroup)
      add(whole, group, (groupWeight * frequency * (k1 + 1)) / (frequency + k1));
  }

  const scores = new Map<Indexed<Entry>, number>();
  for (const [one, window] of around) {
    if (!passes(one, query)) continue;
    const before = one.group?.members[one.place - 1];
    const after = one.group?.members[one.place + 1];
    const sum =
      (own.get(one) ?? 0) +
      ranking.previous * ((before && own.get(before)) ?? 0) +
      ranking.next * ((after && own.get(after)) ?? 0) +
      ranking.window * window +
      ranking.group * ((one.group && whole.get(one.group)) ?? 0);
    scores.set(one, sum * multiplierOf(one, query, named, ranking));
  }
  return scores;
}

function windowLength<Entry>(one: Indexed<Entry>, radius: number): number {
  const near = windowOf(one, radius);
  return near.reduce((sum, { text }) => sum + text.length, 0) / near.length;
}

/** True if an entry has every phrase and name of the query and none of its excluded words. */
const passes = ({ entry, text }: Indexed<SearchEntry>, query: SearchQuery): boolean =>
  query.excluded.every((term) => !text.frequencies.has(term)) &&
  haveEveryPhrase([entry.title, entry.body], query);

function labelsIn(indexed: readonly Indexed<SearchEntry>[], query: SearchQuery): string[] {
  const labels = new Set(indexed.map(({ text }) => text.label));
  return query.possibleLabels.filter((label) => labels.has(label));
}

/** Returns the terms that are not part of a named label; all terms if no other is left. */
export function termsWithout(
  terms: readonly string[],
  labels: readonly string[],
  language: Language,
): readonly string[] {
  const named = new Set(labels.flatMap((label) => termsOf(label, language)));
  const others = terms.filter((term) => !named.has(term));
  return others.length === 0 ? terms : others;
}

function multiplierOf(
  { entry, text }: Indexed<SearchEntry>,
  query: SearchQuery,
  named: readonly string[],
  ranking: Ranking,
): number {
  let factor = 1;
  if (named.length === 1 && text.label === named[0]) factor *= ranking.label;
  if (text.isQuestion) factor *= ranking.question;
  if (query.isInPeriod?.(entry.time) === true) factor *= ranking.period;
  if (query.asksForNumber && text.hasNumber) factor *= ranking.number;
  return factor;
}
