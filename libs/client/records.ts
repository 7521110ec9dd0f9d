import { isPlainObject } from './argument-kinds.js';
import { classOf } from './arguments.js';
import { carriableText, cutText } from './texts.js';
import type { Json } from './json.js';
import { RECORD_BYTES, REQUEST, SEALED_RECORD_BYTES } from './limits.js';
import { isMaceError } from './mace-error.js';

/** A part is long because of many short ones if the longest of them is less than this share of it. */
const SMALL = 1 / 64;
/** What the count of replaced and cut characters takes. */
const NOTICE_BYTES = 100;
/** No cut leaves less of a text than this. */
const LEAST_TEXT = 64;

/** The service looks for personal data down to a depth of 64; what is deeper here becomes one text. */
const MAX_DEPTH = 40;
/** Deeper values would overflow the stack. */
const MAX_NESTING = 1_000;

const BYTES = '$bytes_base64';
const TAG = '$mace_';
/** Holds the numbers of replaced and of cut characters, in a record that is not as it was. */
const CARRIED = `${TAG}carried`;
/** The names that stand for something here. A name of the caller's that looks like one gets one more `$`. */
const RESERVED = /^\$+(?:bytes_base64|mace_[a-z]+)$/;

/** The kinds of values that JSON does not have, and that come back as they were; `number` is NaN and the infinities. */
export type RecordKind = 'bigint' | 'bytes' | 'date' | 'map' | 'number' | 'set';

const ALL_KINDS: readonly RecordKind[] = ['bigint', 'bytes', 'date', 'map', 'number', 'set'];

export interface RecordOptions {
  /** The kinds that are kept. Others are refused. The default is all. */
  readonly kinds?: readonly RecordKind[];
  /** The most bytes of the JSON. */
  readonly maxBytes?: number;
}

const STORABLE =
  'Give null, a boolean, a finite number, a text, a list or a plain object instead, or leave it out.';

/** A value that no record can hold as it is. `message` names its place and what is there, never its content. */
export class UncarriableValue extends TypeError {
  override readonly name = 'UncarriableValue';

  constructor(
    /** The place in what was to be stored, such as `metadata.seen[2]`; empty for the whole. */
    readonly path: string,
    /** What is there, such as `a function`. */
    readonly found: string,
  ) {
    super(`${path === '' ? 'The value' : path} cannot be stored: it is ${found}. ${STORABLE}`);
  }
}

/** Personal data that was erased: nobody can read it any more. */
export class MaceErased extends Error {
  override readonly name = 'MaceErased';

  constructor(
    /** What was read, such as `the thread`. */
    readonly what: string,
  ) {
    super(`${what} was erased: its key was destroyed, and nobody can read it any more.`);
  }
}

/** The text that stands in a list for what was erased. */
export const ERASED = '[ERASED]';

/** True for what the service shows in place of an erased value. No record of `recordOf` looks like this. */
export const isErased = (json: Json): boolean =>
  typeof json === 'object' &&
  json !== null &&
  !Array.isArray(json) &&
  Object.keys(json).join() === 'erased' &&
  (json as { readonly erased: Json }).erased === true;

/**
 * Returns a value as the JSON of a note or of an item, from which `valueOf` makes the value again. It is never refused
 * because of a text: characters that cannot be stored are replaced by U+FFFD, and what is too long is cut. The record
 * then counts them in `$mace_carried`. Undefined properties are left out, and -0 becomes 0. @throws UncarriableValue
 * for functions, symbols, objects of classes, objects that contain themselves, and undefined in an array
 */
export function recordOf(
  value: unknown,
  { kinds = ALL_KINDS, maxBytes = RECORD_BYTES }: RecordOptions = {},
): Json {
  const made = new RecordMaker(kinds);
  const json = made.jsonOf(value, '', []);
  const root = isErased(json) ? { [`${TAG}json`]: JSON.stringify(json) } : json;
  const isObject = typeof root === 'object' && root !== null && !Array.isArray(root);
  const { fitted, cut } = fittedTo(maxBytes - (isObject ? NOTICE_BYTES : 0), root);
  const { replaced } = made;
  if (!isObject || (replaced === 0 && cut === 0)) return fitted;
  return { ...(fitted as object), [CARRIED]: { replaced, cut } };
}

class RecordMaker {
  /** The number of characters that were replaced so far. */
  replaced = 0;

  constructor(private readonly kinds: readonly RecordKind[]) {}

  jsonOf(value: unknown, path: string, above: readonly object[]): Json {
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'string') return this.#textOf(value);
    if (typeof value === 'number') return this.#numberOf(value, path);
    if (typeof value === 'bigint') return this.#tagged('bigint', String(value), path, 'a bigint');
    if (typeof value !== 'object') throw new UncarriableValue(path, nameOf(value));
    if (above.includes(value)) throw new UncarriableValue(path, 'an object that contains itself');
    if (above.length >= MAX_NESTING)
      throw new UncarriableValue(path, `nested deeper than ${MAX_NESTING}`);
    const json = this.#objectOf(value, path, [...above, value]);
    return above.length === MAX_DEPTH ? { [`${TAG}json`]: JSON.stringify(json) } : json;
  }

  #objectOf(value: object, path: string, inside: readonly object[]): Json {
    const each = (entries: Iterable<unknown>): Json[] =>
      Array.from(entries, (entry, place) => this.jsonOf(entry, `${path}[${place}]`, inside));
    if (Array.isArray(value)) return each(value);
    if (value instanceof Uint8Array) return this.#tagged('bytes', base64Of(value), path, 'bytes');
    if (value instanceof Map) return this.#tagged('map', () => each(value), path, 'a Map');
    if (value instanceof Set) return this.#tagged('set', () => each(value), path, 'a Set');
    if (value instanceof Date) {
      const isValid = !Number.isNaN(value.getTime());
      if (!isValid) throw new UncarriableValue(path, 'a Date without a time');
      return this.#tagged('date', value.toISOString(), path, 'a Date');
    }
    requirePlain(value, path);
    const names = new Set<string>();
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, entry]) => entry !== undefined)
        .map(([name, entry]) => [
          this.#nameOf(name, names),
          this.jsonOf(entry, path === '' ? name : `${path}.${name}`, inside),
        ]),
    );
  }

  #textOf(value: string): string {
    const { text, replaced } = carriableText(value);
    this.replaced += replaced;
    return text;
  }

  /** Returns a name that the record can have, and that none of `others` is. */
  #nameOf(given: string, others: Set<string>): string {
    let name = this.#textOf(RESERVED.test(given) ? `$${given}` : given);
    while (others.has(name)) name += '\uFFFD';
    others.add(name);
    return name;
  }

  #numberOf(value: number, path: string): Json {
    if (!Number.isFinite(value))
      return this.#tagged('number', String(value), path, `the number ${value}`);
    // The service refuses whole numbers that a double cannot count to. The sum turns -0 into 0.
    const isStorable = !Number.isInteger(value) || Number.isSafeInteger(value);
    return isStorable ? value + 0 : { [`${TAG}number`]: String(value) };
  }

  #tagged(kind: RecordKind, content: Json | (() => Json), path: string, found: string): Json {
    if (!this.kinds.includes(kind)) throw new UncarriableValue(path, found);
    const json = typeof content === 'function' ? content() : content;
    return { [kind === 'bytes' ? BYTES : TAG + kind]: json };
  }
}

/**
 * Returns the JSON of a request, which leaves out undefined properties. @throws UncarriableValue for what JSON would
 * change in silence, or has no form for
 */
export function requestText(body: unknown): string {
  requireJson(body, '', []);
  return JSON.stringify(body);
}

function requireJson(value: unknown, path: string, above: readonly object[]): void {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return;
    throw new UncarriableValue(path, `the number ${value}`);
  }
  if (typeof value !== 'object') throw new UncarriableValue(path, nameOf(value));
  if (above.includes(value)) throw new UncarriableValue(path, 'an object that contains itself');
  if (above.length >= MAX_NESTING)
    throw new UncarriableValue(path, `nested deeper than ${MAX_NESTING}`);
  const inside = [...above, value];
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length; place += 1)
      requireJson(value[place], `${path}[${place}]`, inside);
    return;
  }
  requirePlain(value, path);
  for (const [name, entry] of Object.entries(value))
    if (entry !== undefined) requireJson(entry, path === '' ? name : `${path}.${name}`, inside);
}

const nameOf = (value: unknown): string =>
  value === undefined ? 'undefined' : `a ${typeof value}`;

function requirePlain(value: object, path: string): void {
  if (!isPlainObject(value)) throw new UncarriableValue(path, classOf(value));
  if (Reflect.ownKeys(value).length !== Object.keys(value).length)
    throw new UncarriableValue(path, 'an object with a hidden property');
}

/** Returns the value from which `recordOf` made the JSON, without what was replaced or cut. */
export function valueOf(json: Json): unknown {
  if (json === null || typeof json !== 'object') return json;
  if (Array.isArray(json)) return json.map((entry: Json) => valueOf(entry));
  const entries = Object.entries(json).filter(([name]) => name !== CARRIED);
  const [only] = entries;
  const tagged = entries.length === 1 && only !== undefined ? taggedValue(...only) : undefined;
  if (tagged !== undefined) return tagged.value;
  return Object.fromEntries(
    entries.map(([name, entry]) => [
      name.startsWith('$$') && RESERVED.test(name) ? name.slice(1) : name,
      valueOf(entry),
    ]),
  );
}

/** Returns what a name stands for; undefined if it is only a name. */
function taggedValue(name: string, content: Json): { readonly value: unknown } | undefined {
  if (Array.isArray(content)) {
    const entries = content.map((entry: Json) => valueOf(entry));
    if (name === `${TAG}set`) return { value: new Set(entries) };
    if (name === `${TAG}map`) return { value: new Map(entries as [unknown, unknown][]) };
  }
  if (typeof content !== 'string') return undefined;
  switch (name) {
    case BYTES:
      return { value: bytesOf(content) };
    case `${TAG}bigint`:
      return { value: BigInt(content) };
    case `${TAG}date`:
      return { value: new Date(content) };
    case `${TAG}number`:
      return { value: Number(content) };
    case `${TAG}json`:
      return { value: plainOrValue(JSON.parse(content) as Json) };
    default:
      return undefined;
  }
}

const plainOrValue = (json: Json): unknown => (isErased(json) ? json : valueOf(json));

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const encoder = new TextEncoder();
const sizeOf = (json: Json): number => encoder.encode(JSON.stringify(json)).length;

type Container = Record<string | number, Json>;

/** True for an object or array in which something can be cut: one that stands for a value is cut as a whole. */
const isOpen = (json: Json): json is Json & object =>
  typeof json === 'object' &&
  json !== null &&
  (Array.isArray(json) || !Object.keys(json).some((name) => RESERVED.test(name)));

/** Cuts the longest parts of a record until it has at most so many bytes. It changes the record itself. */
function fittedTo(maxBytes: number, root: Json): { readonly fitted: Json; readonly cut: number } {
  const holder: Container = { root };
  // A part that is cut again is cut from what it was, so that no ellipsis is counted.
  const originals = new Map<
    Container,
    Map<string, { readonly text: string; readonly cut: number }>
  >();
  let cut = 0;
  for (;;) {
    const excess = sizeOf(holder['root']!) - maxBytes;
    if (excess <= 0) return { fitted: holder['root']!, cut };
    const { parent, name } = longestIn(holder);
    const part = parent[name]!;
    const text = typeof part === 'string' ? part : JSON.stringify(part);
    // At most half at once, so that of several long texts each keeps its beginning.
    const share = Math.max(1 / 2, 1 - (excess + 8) / sizeOf(text));
    const shorter = cutText(text, Math.max(LEAST_TEXT, Math.floor(text.length * share)));
    if (sizeOf(shorter.text) >= sizeOf(part) && typeof part === 'string')
      throw new UncarriableValue('', `more than ${maxBytes} bytes in small parts`);
    const ofParent = originals.get(parent) ?? new Map<string, { text: string; cut: number }>();
    originals.set(parent, ofParent);
    const before = ofParent.get(name) ?? { text, cut: 0 };
    const whole = cutText(before.text, shorter.text.length);
    cut += whole.cut - before.cut;
    ofParent.set(name, { text: before.text, cut: whole.cut });
    parent[name] = whole.text;
  }
}

/** Returns the longest text of a record, or a part that is long because it has many short ones. */
function longestIn(holder: Container): { parent: Container; name: string } {
  let place = { parent: holder, name: 'root' };
  for (;;) {
    const part = place.parent[place.name]!;
    if (!isOpen(part)) return place;
    let largest: { name: string; size: number } | undefined;
    for (const [name, child] of Object.entries(part as Container)) {
      const size = sizeOf(child);
      if (largest === undefined || size > largest.size) largest = { name, size };
    }
    const isWhole = place.parent === holder;
    if (largest === undefined || (!isWhole && largest.size < sizeOf(part) * SMALL)) return place;
    place = { parent: part as Container, name: largest.name };
  }
}

/**
 * Calls `write` with the bytes that a record may have. If the service refuses the record, calls it again with those of
 * a record whose personal data is sealed.
 */
export async function writtenWithin<Written>(
  write: (maxBytes: number) => Promise<Written>,
): Promise<Written> {
  try {
    return await write(RECORD_BYTES);
  } catch (error) {
    if (!isMaceError(error, 'INVALID_INPUT')) throw error;
    return write(SEALED_RECORD_BYTES);
  }
}

/** Splits items into lists that fit into one request each; at least one list. */
export function requestsOf(items: readonly Json[]): Json[][] {
  let current: Json[] = [];
  const requests = [current];
  let [bytes, values] = [0, 0];
  for (const item of items) {
    const text = JSON.stringify(item);
    const size = encoder.encode(text).length;
    const count = text.match(/[[{,:]/g)?.length ?? 0;
    const isFull =
      current.length === REQUEST.items ||
      bytes + size > REQUEST.bytes ||
      values + count > REQUEST.values;
    if (isFull && current.length > 0) {
      current = [];
      requests.push(current);
      [bytes, values] = [0, 0];
    }
    current.push(item);
    bytes += size;
    values += count;
  }
  return requests;
}
