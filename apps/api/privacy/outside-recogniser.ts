import type { Json } from '#domain/json.js';

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

const isEntity = (value: unknown): value is Entity => {
  const { entity_type, start, end, score } = (value ?? {}) as Partial<
    Record<keyof Entity, unknown>
  >;
  return (
    typeof entity_type === 'string' &&
    TYPE.test(entity_type) &&
    Number.isInteger(start) &&
    Number.isInteger(end) &&
    typeof score === 'number'
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

/** Replaces each finding. Where two overlap, the one that begins first counts, and the other's rest is cut as well. */
function withoutEntities(
  points: readonly string[],
  entities: readonly Entity[],
  note: (type: string, text: string) => void,
): string {
  const ordered = [...entities].sort((one, other) => one.start - other.start);
  let clean = '';
  let done = 0;
  for (const { entity_type, start, end } of ordered) {
    if (end <= done) continue;
    const type = entity_type.toLowerCase();
    const from = Math.max(start, done);
    note(type, points.slice(from, end).join(''));
    clean += points.slice(done, from).join('');
    if (start >= done) clean += `[REDACTED:${type}]`;
    done = end;
  }
  return clean + points.slice(done).join('');
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
    let start = 0;
    const clean = strings.map((text) => {
      // Presidio counts code points.
      const points = [...text];
      const own = entities
        .map((entity) => ({
          ...entity,
          start: Math.max(entity.start - start, 0),
          end: entity.end - start,
        }))
        .filter((entity) => entity.end > entity.start && entity.start < points.length);
      start += points.length + 1;
      return withoutEntities(points, own, note);
    });
    return withStrings(value, clean[Symbol.iterator]());
  }

  private async entitiesIn(text: string): Promise<readonly Entity[]> {
    if (text.trim() === '') return [];
    const entities = await this.ask(text).catch(() => undefined);
    if (!Array.isArray(entities) || !entities.every(isEntity))
      throw new RecogniserFailed('The recogniser gave no usable answer.');
    return entities.filter(({ score }) => score >= MIN_SCORE);
  }

  private async ask(text: string): Promise<unknown> {
    const answer = await fetch(`${this.url.replace(/\/$/, '')}/analyze`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, language: 'en' }),
      redirect: 'error',
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    return answer.ok ? answer.json() : undefined;
  }
}
