import { askOutsideForJson } from '#bounded/outside.js';
import type { Json } from '#domain/json.js';
import { redactedText } from '#domain/privacy/withheld.js';

/** The outside recogniser did not answer in time, or not as it must. What it should have scanned is refused (SPEC P2). */
export class RecogniserFailed extends Error {
  override readonly name = 'RecogniserFailed';
}

interface Entity {
  readonly entity_type: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

const TYPE = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const MIN_SCORE = 0.5;
const TIMEOUT_MS = 2_000;
/** The bounds of an answer. Presidio takes about 250 bytes for a finding. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_FINDINGS = 5_000;
const BOUNDS = { maxDepth: 20, maxPieces: 20 * MAX_FINDINGS };

const isEntity = (value: unknown): value is Entity => {
  const { entity_type, start, end, score } = (value ?? {}) as Partial<
    Record<keyof Entity, unknown>
  >;
  return (
    typeof entity_type === 'string' &&
    TYPE.test(entity_type) &&
    Number.isInteger(start) &&
    Number.isInteger(end) &&
    Number.isFinite(score)
  );
};

/** Returns the strings and keys of a value, one per line. */
function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return '';
  if (Array.isArray(value)) return (value as readonly Json[]).map(textOf).join('\n');
  return Object.entries(value)
    .map(([key, item]) => `${key}: ${textOf(item)}`)
    .join('\n');
}

/** Yields the strings of a value, without the keys of objects, in document order. */
function* stringsIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values<Json>(value)) yield* stringsIn(item);
}

/** Returns a value with its strings replaced, in the order of `stringsIn`. */
function withStrings(value: Json, strings: Iterator<string>): Json {
  if (typeof value === 'string') return strings.next().value as string;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => withStrings(item, strings));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withStrings(item, strings)]),
  );
}

/** A part of a text that is cut. */
interface Cut {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** True for the rest of a finding whose beginning another one has cut. */
  readonly isRest: boolean;
}

/** Where two findings overlap, the one that begins first counts, and the other's rest is cut as well. */
function cutsOf(entities: readonly Entity[]): readonly Cut[] {
  const ordered = [...entities].sort((one, other) => one.start - other.start);
  const cuts: Cut[] = [];
  let done = 0;
  for (const { entity_type, start, end } of ordered) {
    if (end <= done) continue;
    const type = entity_type.toLowerCase();
    cuts.push({ type, start: Math.max(start, done), end, isRest: start < done });
    done = end;
  }
  return cuts;
}

/**
 * Makes the cuts in strings, which the recogniser read as the lines of one text. Both are in order, and no two cuts
 * overlap, so one pass is enough.
 */
function withoutCuts(
  strings: readonly string[],
  cuts: readonly Cut[],
  note: (type: string, text: string) => void,
): readonly string[] {
  let next = 0;
  let first = 0;
  return strings.map((text) => {
    const begin = first;
    // Presidio counts code points.
    const length = codePointsIn(text);
    first += length + 1;
    while (next < cuts.length && cuts[next]!.end <= begin) next += 1;
    if (next === cuts.length || cuts[next]!.start >= begin + length) return text;
    const points = [...text];
    let clean = '';
    let done = 0;
    for (let at = next; at < cuts.length && cuts[at]!.start < begin + length; at += 1) {
      const { type, start, end, isRest } = cuts[at]!;
      const from = Math.max(start - begin, 0);
      const to = Math.min(end - begin, length);
      note(type, points.slice(from, to).join(''));
      clean += points.slice(done, from).join('');
      if (!isRest || start <= begin) clean += redactedText(type);
      done = to;
    }
    return clean + points.slice(done).join('');
  });
}

/** Returns the number of code points, also of a text that is not well-formed. */
function codePointsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** A service that finds what rules cannot, such as names of people, with the interface of Presidio's analyzer. */
export class OutsideRecogniser {
  constructor(
    private readonly url: string,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Returns the types found in a value, in small letters. Fails with `RecogniserFailed`. */
  async typesIn(value: Json): Promise<readonly string[]> {
    return (await this.entitiesIn(textOf(value))).map(({ entity_type }) =>
      entity_type.toLowerCase(),
    );
  }

  /**
   * Returns a value in whose strings each finding is replaced by `[REDACTED:<type>]`. Fails with `RecogniserFailed`.
   * @param note called with the type and the text of each finding
   */
  async redacted(value: Json, note: (type: string, text: string) => void): Promise<Json> {
    const strings = [...stringsIn(value)];
    const entities = await this.entitiesIn(strings.join('\n'));
    if (entities.length === 0) return value;
    const clean = withoutCuts(strings, cutsOf(entities), note);
    return withStrings(value, clean[Symbol.iterator]());
  }

  private async entitiesIn(text: string): Promise<readonly Entity[]> {
    if (text.trim() === '') return [];
    const entities = await this.ask(text).catch(() => undefined);
    const length = codePointsIn(text);
    const isWithin = ({ start, end }: Entity): boolean =>
      start >= 0 && start < end && end <= length;
    if (
      !Array.isArray(entities) ||
      entities.length > MAX_FINDINGS ||
      !entities.every((entity) => isEntity(entity) && isWithin(entity))
    )
      throw new RecogniserFailed('The recogniser gave no usable answer.');
    return (entities as readonly Entity[]).filter(({ score }) => score >= MIN_SCORE);
  }

  private async ask(text: string): Promise<unknown> {
    const request = {
      method: 'POST',
      url: `${this.url.replace(/\/$/, '')}/analyze`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, language: 'en' }),
      ...{ timeoutMs: this.timeoutMs, maxBytes: MAX_BYTES },
    } as const;
    return (await askOutsideForJson(request, BOUNDS)).json;
  }
}
