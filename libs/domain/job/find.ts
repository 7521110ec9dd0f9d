import { canonicalJson, uncarriable } from '../determinism/canonical-json.js';
import { pointerParts, valueAt } from '../json-pointer.js';
import type { Json, JsonObject } from '../json.js';
import { invalid } from './entry.js';
import type { JobState } from './state.js';
import { cwmItemJson, wmEntryJson } from './view.js';

/** A structural matcher over an entry (SPEC J8), such as `{equals: {"/type": "fact"}, exists: ["/value/city"]}`. */
export interface FindPredicate {
  /** For each JSON Pointer, the value required at that place; values are compared in canonical form. */
  readonly equals?: Readonly<Record<string, Json>>;
  readonly exists?: readonly string[];
  readonly absent?: readonly string[];
}

const MAX_POINTERS = 100;
/** @throws Refusal INVALID_INPUT if the text is not a JSON Pointer */
function pathOf(pointer: string): string[] {
  const parts = pointerParts(pointer);
  if (parts === undefined)
    throw invalid(
      'a predicate names a path that is not a JSON Pointer: it must be empty or begin with /',
    );
  return parts;
}

/**
 * Compiles a predicate to a function over the JSON of entries. An empty predicate matches every entry.
 * @throws Refusal INVALID_INPUT for a malformed pointer, for a value that JCS cannot represent, and for
 * more than 100 pointers.
 */
export function matcherOf(predicate: FindPredicate): (entry: Json) => boolean {
  const { equals = {}, exists = [], absent = [] } = predicate;
  const reason = uncarriable(equals);
  if (reason !== undefined) throw invalid(`equals: ${reason}`);
  const wanted = Object.entries(equals).map(
    ([pointer, value]) => [pathOf(pointer), canonicalJson(value)] as const,
  );
  const present = exists.map(pathOf);
  const missing = absent.map(pathOf);
  if (wanted.length + present.length + missing.length > MAX_POINTERS)
    throw invalid(`equals: a predicate has at most ${MAX_POINTERS} pointers`);
  return (entry) =>
    wanted.every(([path, text]) => {
      const value = valueAt(entry, path);
      return value !== undefined && canonicalJson(value) === text;
    }) &&
    present.every((path) => valueAt(entry, path) !== undefined) &&
    missing.every((path) => valueAt(entry, path) === undefined);
}

/** Returns the WM entries that match, newest first. */
export function findWm(state: JobState, predicate: FindPredicate): JsonObject[] {
  const matches = matcherOf(predicate);
  return state.wm
    .map((entry) => wmEntryJson(entry, state.tick))
    .reverse()
    .filter(matches);
}

/** Returns the CWM items that match, in order of insertion. */
export function findCwm(state: JobState, predicate: FindPredicate): JsonObject[] {
  const matches = matcherOf(predicate);
  return state.cwm.map((item) => cwmItemJson(item, state.tick)).filter(matches);
}
