import type { Feature } from './features.js';
import { FINDING_TYPES, type Category, type FindingType } from './finding.js';
import { CONTEXT_SCORE, THRESHOLD, type Candidate, type Recogniser } from './recogniser.js';
import { CONTACT_RECOGNISERS } from './recognisers/contact.js';
import { FINANCIAL_RECOGNISERS } from './recognisers/financial.js';
import { IDENTITY_RECOGNISERS } from './recognisers/identity.js';
import { LABELLED_RECOGNISERS } from './recognisers/labelled.js';
import { SECRET_RECOGNISERS } from './recognisers/secrets.js';
import { originalSpan, type TextView } from './text-view.js';

export const RECOGNISERS: readonly Recogniser[] = [
  ...SECRET_RECOGNISERS,
  ...FINANCIAL_RECOGNISERS,
  ...IDENTITY_RECOGNISERS,
  ...CONTACT_RECOGNISERS,
  ...LABELLED_RECOGNISERS,
];

/** What one recogniser saw, in the original text. */
export interface Hit {
  readonly type: FindingType;
  readonly category: Category;
  readonly score: number;
  readonly start: number;
  readonly end: number;
}

/** How far from a candidate its context words may stand, in characters. */
const BEFORE = 48;
const AFTER = 24;

/** A name or text as context words are looked for in it: words apart, lower case. */
export const foldWords = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();

/** A view with what every recogniser asks of it. */
class Reading {
  private folded: string | undefined;

  constructor(
    readonly view: TextView,
    /** The folded name of the field that it stands in. */
    private readonly label: string,
  ) {}

  isLabelled({ context }: Recogniser): boolean {
    return this.label !== '' && context?.test(this.label) === true;
  }

  /** Whether one of the context words stands anywhere in it. */
  mentions({ context }: Recogniser): boolean {
    this.folded ??= foldWords(this.view.text);
    return context?.test(this.folded) === true;
  }
}

/** What every recogniser sees in a view; `label` is the folded name of the field that it stands in. */
export function hitsIn(view: TextView, features: Feature, label: string): Hit[] {
  const reading = new Reading(view, label);
  const hits: Hit[] = [];
  for (const recogniser of RECOGNISERS) {
    if ((features & recogniser.needs) !== recogniser.needs) continue;
    const labelled = reading.isLabelled(recogniser);
    const unnamed = recogniser.fields_only === true || !reaches(recogniser, reading);
    if (!labelled && unnamed) continue;
    for (const pattern of recogniser.patterns) collect(hits, recogniser, pattern, view, labelled);
  }
  return hits;
}

/** Whether a candidate can score enough without a label. */
const reaches = (recogniser: Recogniser, reading: Reading): boolean =>
  recogniser.score >= THRESHOLD || reading.mentions(recogniser);

function collect(
  hits: Hit[],
  recogniser: Recogniser,
  pattern: RegExp,
  view: TextView,
  labelled: boolean,
): void {
  const { type, category, score } = recogniser;
  if (view.text.search(pattern) < 0) return;
  // A global pattern keeps its place in itself, so each run has a pattern of its own.
  const own = new RegExp(pattern);
  for (let match = own.exec(view.text); match; match = own.exec(view.text)) {
    const candidate = candidateOf(match, recogniser, view.text, labelled);
    const total = score + (candidate.in_context ? CONTEXT_SCORE : 0);
    const length =
      total >= THRESHOLD ? (recogniser.measure?.(candidate) ?? candidate.text.length) : 0;
    const isChance = length > 0 && !SECRETS.has(type) && isInUuid(view.text, candidate.at, length);
    if (length > 0 && !isChance) {
      const [start, end] = originalSpan(view, candidate.at, candidate.at + length);
      hits.push({ type, category, score: total, start, end });
    }
    // What was refused may hide another one that begins inside it.
    // eslint-disable-next-line no-restricted-syntax -- of this run's own copy
    own.lastIndex =
      length > 0 && !isChance ? candidate.at + length : nextCharacter(view.text, match.index);
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

/** By chance one UUID in some thousands holds what passes for the number of a card or of a person. */
function isInUuid(text: string, at: number, length: number): boolean {
  const from = Math.max(0, at + length - UUID_LENGTH);
  return [...text.slice(from, at + UUID_LENGTH).matchAll(UUID)].some(
    ({ index }) => from + index <= at && at + length <= from + index + UUID_LENGTH,
  );
}

const nextCharacter = (text: string, at: number): number =>
  at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

function candidateOf(
  match: RegExpExecArray,
  { context }: Recogniser,
  view: string,
  labelled: boolean,
): Candidate {
  const value = match.groups?.value ?? match[0];
  const before = (match.groups?.before ?? '').replace(/^[^\p{L}\p{N}_"]+/u, '');
  const at = match.index + match[0].lastIndexOf(value) - before.length;
  const text = before + value;
  const end = at + text.length;
  // Without the candidate itself: "Baker Street" is no word about an address.
  const around = () =>
    `${view.slice(Math.max(0, at - BEFORE), at)}\n${view.slice(end, end + AFTER)}`;
  const in_context = labelled || (context?.test(foldWords(around())) ?? false);
  return { text, view, at, in_context };
}

const weight = ({ score, start, end }: Hit): readonly number[] => [score, end - start];

/** The surer one, then the longer one, then the one whose type is named first. */
function surer(one: Hit, other: Hit): Hit {
  const [score = 0, length = 0] = weight(one);
  const [otherScore = 0, otherLength = 0] = weight(other);
  const byType = FINDING_TYPES.indexOf(other.type) - FINDING_TYPES.indexOf(one.type);
  return (score - otherScore || length - otherLength || byType) >= 0 ? one : other;
}

/**
 * Hits that overlap become one: of the surest's type, over all that any of them covers, so that nothing of
 * a weaker one is left beside it.
 */
export function resolveOverlaps(hits: readonly Hit[]): Hit[] {
  const sorted = [...hits].sort((one, other) => one.start - other.start || other.end - one.end);
  const resolved: Hit[] = [];
  for (const hit of sorted) {
    const last = resolved.at(-1);
    if (!last || hit.start >= last.end) resolved.push(hit);
    else {
      const { type, category, score } = surer(last, hit);
      const end = Math.max(last.end, hit.end);
      resolved[resolved.length - 1] = { type, category, score, start: last.start, end };
    }
  }
  return resolved;
}
