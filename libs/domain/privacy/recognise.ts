import { NearWords } from './context-words.js';
import type { Feature } from './features.js';
import type { FieldName } from './field-name.js';
import { FINDING_TYPES, type Category, type FindingType } from './finding.js';
import { CONTEXT_SCORE, THRESHOLD, type Candidate, type Recogniser } from './recogniser.js';
import { ADDRESS_RECOGNISERS } from './recognisers/address.js';
import { CONTACT_RECOGNISERS } from './recognisers/contact.js';
import { FINANCIAL_RECOGNISERS } from './recognisers/financial.js';
import { IDENTITY_RECOGNISERS } from './recognisers/identity.js';
import { LABELLED_RECOGNISERS } from './recognisers/labelled.js';
import { PHONE_RECOGNISERS } from './recognisers/phone.js';
import { SECRET_RECOGNISERS } from './recognisers/secrets.js';
import type { RuleSet } from './rule-set.js';
import type { Slices } from '../slices.js';
import { originalSpan, type TextView } from './text-view.js';

export const RECOGNISERS: readonly Recogniser[] = [
  ...SECRET_RECOGNISERS,
  ...FINANCIAL_RECOGNISERS,
  ...IDENTITY_RECOGNISERS,
  ...CONTACT_RECOGNISERS,
  ...PHONE_RECOGNISERS,
  ...LABELLED_RECOGNISERS,
  ...ADDRESS_RECOGNISERS,
];

/** A match of one recogniser; the offsets are those of the original text. */
export interface Hit {
  readonly type: FindingType;
  readonly category: Category;
  readonly score: number;
  readonly start: number;
  readonly end: number;
}

/** How far before and after a candidate its context words may stand, in characters. */
const BEFORE = 48;
const AFTER = 24;

/** The circumstances of a scan. */
export interface Scanned {
  readonly label: FieldName;
  readonly rules: RuleSet;
}

/** The circumstances of the scan of one view. */
interface ScannedView extends Scanned {
  readonly words: NearWords;
}

/** The length of a text that one recogniser reads in a slice of its own. */
const LONG = 2_000;
const CANDIDATES_IN_SLICE = 50;

export function* hitsIn(view: TextView, features: Feature, scanned: Scanned): Slices<Hit[]> {
  const hits: Hit[] = [];
  const scan: ScannedView = { ...scanned, words: new NearWords(view.text) };
  for (const recogniser of RECOGNISERS) {
    if ((features & recogniser.needs) !== recogniser.needs) continue;
    const { field } = recogniser;
    if (field !== undefined && !scanned.label.matches(field)) continue;
    for (const pattern of recogniser.patterns) {
      if (view.text.length > LONG) yield;
      // Most patterns have no match, and a generator costs more than their search.
      const first = view.text.search(pattern);
      if (first >= 0) yield* collect(hits, recogniser, pattern, view, scan, first);
    }
  }
  return hits;
}

function* collect(
  hits: Hit[],
  recogniser: Recogniser,
  pattern: RegExp,
  view: TextView,
  scanned: ScannedView,
  first: number,
): Slices<void> {
  const { type, category, score } = recogniser;
  // A global pattern stores its position in lastIndex, so each run copies the pattern.
  const scanner = new RegExp(pattern);
  // eslint-disable-next-line no-restricted-syntax -- changes only this run's copy
  scanner.lastIndex = first;
  let candidates = 0;
  for (let match = scanner.exec(view.text); match; match = scanner.exec(view.text)) {
    candidates += 1;
    if (candidates % CANDIDATES_IN_SLICE === 0) yield;
    const candidate = new Match(match, recogniser, view.text, scanned);
    // Most candidates of a recogniser that needs context have none, so the context comes before the measure.
    const isPossible = score >= THRESHOLD || candidate.in_context;
    const length = isPossible ? (recogniser.measure?.(candidate) ?? candidate.text.length) : 0;
    const total = score + (length > 0 && candidate.in_context ? CONTEXT_SCORE : 0);
    const isFinding =
      length > 0 &&
      total >= THRESHOLD &&
      (SECRETS.has(type) || !isInUuid(view.text, candidate.at, length));
    if (isFinding) {
      const [start, end] = originalSpan(view, candidate.at, candidate.at + length);
      hits.push({ type, category, score: total, start, end });
    }
    // A rejected candidate may contain the start of another one.
    // eslint-disable-next-line no-restricted-syntax -- changes only this run's copy
    scanner.lastIndex = isFinding ? candidate.at + length : nextCharacter(view.text, match.index);
  }
}

/** A match of a pattern. Its context is searched only when a rule asks for it, because few matches need it. */
class Match implements Candidate {
  readonly text: string;
  readonly at: number;
  readonly rules: RuleSet;
  private context: boolean | undefined;

  constructor(
    match: RegExpExecArray,
    private readonly recogniser: Recogniser,
    readonly view: string,
    private readonly scanned: ScannedView,
  ) {
    const value = match.groups?.value ?? match[0];
    const before = (match.groups?.before ?? '').replace(/^[^\p{L}\p{N}_"〒]+/u, '');
    this.at = match.index + match[0].lastIndexOf(value) - before.length;
    this.text = before + value;
    this.rules = scanned.rules;
  }

  get in_context(): boolean {
    this.context ??= this.recogniser.field !== undefined || this.isNearWords();
    return this.context;
  }

  /** The candidate's own words do not count as context: "Baker Street" does not make itself an address. */
  private isNearWords(): boolean {
    const { context } = this.recogniser;
    if (context === undefined) return false;
    const { at, text, scanned } = this;
    const end = at + text.length;
    return (
      scanned.label.matches(context.pattern) ||
      scanned.words.has(context, Math.max(0, at - BEFORE), at) ||
      scanned.words.has(context, end, end + AFTER)
    );
  }
}

const SECRETS: ReadonlySet<FindingType> = new Set([
  'private_key',
  'jwt',
  'api_key',
  'token',
  'password',
]);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/gi;
const UUID_LENGTH = 36;

/**
 * True if the candidate is part of a UUID. One UUID in some thousands contains a valid card or id number
 * by chance.
 */
function isInUuid(text: string, at: number, length: number): boolean {
  const from = Math.max(0, at + length - UUID_LENGTH);
  return [...text.slice(from, at + UUID_LENGTH).matchAll(UUID)].some(
    ({ index }) => from + index <= at && at + length <= from + index + UUID_LENGTH,
  );
}

const nextCharacter = (text: string, at: number): number =>
  at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

const weight = ({ score, start, end }: Hit): readonly number[] => [score, end - start];

/**
 * Returns the hit with the higher score; if the scores are equal, the longer hit; if the lengths are
 * also equal, the hit whose type comes first in FINDING_TYPES.
 */
function strongerHit(one: Hit, other: Hit): Hit {
  const [score = 0, length = 0] = weight(one);
  const [otherScore = 0, otherLength = 0] = weight(other);
  const byType = FINDING_TYPES.indexOf(other.type) - FINDING_TYPES.indexOf(one.type);
  return (score - otherScore || length - otherLength || byType) >= 0 ? one : other;
}

/**
 * Merges overlapping hits into one, with the type of the strongest hit and the span of all of them, so
 * that every part of a weaker hit is redacted.
 */
export function resolveOverlaps(hits: readonly Hit[]): Hit[] {
  const sorted = [...hits].sort((one, other) => one.start - other.start || other.end - one.end);
  const resolved: Hit[] = [];
  for (const hit of sorted) {
    const last = resolved.at(-1);
    if (!last || hit.start >= last.end) resolved.push(hit);
    else {
      const { type, category, score } = strongerHit(last, hit);
      const end = Math.max(last.end, hit.end);
      resolved[resolved.length - 1] = { type, category, score, start: last.start, end };
    }
  }
  return resolved;
}
