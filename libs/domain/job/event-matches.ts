import type { RecordedEvent } from '../recorded-event.js';

/** Where an event lies among matches, which are the ascending numbers of events. */
export interface PlaceInMatches {
  readonly count: number;
  /** How many matches come before the event. */
  readonly before: number;
  /** The last match before the event. */
  readonly previous: number | null;
  /** The first match after the event. */
  readonly next: number | null;
}

/** Returns where an event lies among the matches; the event need not be one. */
export function placeIn(matches: readonly number[], number: number): PlaceInMatches {
  const before = firstAtOrAfter(matches, number);
  return {
    ...{ count: matches.length, before },
    previous: matches[before - 1] ?? null,
    next: matches[firstAtOrAfter(matches, number + 1)] ?? null,
  };
}

/** Returns the index of the first match that is not before this number. */
export function firstAtOrAfter(matches: readonly number[], number: number): number {
  let [low, high] = [0, matches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the texts of an event in which a search looks: its type, its data, and each value of its metadata. */
export const searchedTexts = ({ type, data, metadata }: RecordedEvent): readonly string[] => [
  type,
  JSON.stringify(data),
  ...Object.values(metadata).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  ),
];

/** Returns what a search asks for, in lower case: each of its words, and what stands between quotes as one text. */
export const wantedTexts = (words: string): readonly string[] =>
  [...words.toLowerCase().matchAll(/"([^"]*)"?|[^\s"]+/g)]
    .map(([all, quoted]) => quoted ?? all)
    .filter((text) => text.trim() !== '');

/** True if one of the texts of an event contains a text in lower case; upper and lower case are the same. */
export const containsText = (event: RecordedEvent, lower: string): boolean =>
  searchedTexts(event).some((text) => text.toLowerCase().includes(lower));
