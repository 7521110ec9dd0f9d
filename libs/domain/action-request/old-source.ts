import type { Json, JsonObject } from '../json.js';
import { saidIn } from './in-evidence.js';
import { leavesOf } from './leaves.js';

const YEAR = /(?<![\p{L}\p{Nd}]|\p{Nd}[.,])(?:19|20)\d\d(?![\p{L}\p{Nd}]|[.,]\p{Nd})/gu;

/** Yields the years that a text names, and where each begins. */
export function* yearPlaces(text: string): Generator<{ readonly year: number; start: number }> {
  for (const { 0: year, index } of text.matchAll(YEAR)) yield { year: Number(year), start: index };
}

const yearsIn = (text: string): readonly number[] => [...yearPlaces(text)].map(({ year }) => year);

/**
 * True if the evidence speaks of years, and the latest of them ended more than a year before the request was made: "Fares
 * of 2017". A year that the value names itself says nothing about the age of the source.
 * @param requestedAt ISO 8601
 */
export function isOldSource(
  value: Json,
  evidence: readonly JsonObject[],
  requestedAt: string,
): boolean {
  const years = evidence.flatMap(saidIn).flatMap((leaf) => yearsIn(String(leaf.value)));
  if (years.length === 0) return false;
  const named = new Set([...leavesOf(value)].flatMap((leaf) => yearsIn(String(leaf.value))));
  const others = years.filter((year) => !named.has(year));
  return others.length > 0 && Math.max(...years) < Number(requestedAt.slice(0, 4)) - 1;
}
