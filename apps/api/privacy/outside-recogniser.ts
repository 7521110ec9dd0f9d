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

/** A service that finds what rules cannot, such as names of people, with the interface of Presidio's analyzer. */
export class OutsideRecogniser {
  constructor(
    private readonly url: string,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Returns the types found in a value, in small letters. Fails with `RecogniserFailed`. */
  async typesIn(value: Json): Promise<readonly string[]> {
    const text = textOf(value);
    if (text.trim() === '') return [];
    const entities = await this.ask(text).catch(() => undefined);
    if (!Array.isArray(entities) || !entities.every(isEntity))
      throw new RecogniserFailed('The recogniser gave no usable answer.');
    return entities
      .filter(({ score }) => score >= MIN_SCORE)
      .map(({ entity_type }) => entity_type.toLowerCase());
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
