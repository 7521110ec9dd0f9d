import { MAX_DEPTH } from '../determinism/canonical-json.js';
import { hashJson } from '../determinism/hash.js';
import type { Json, JsonObject } from '../json.js';
import type { Finding, PathStep, Unscannable, Verdict } from './finding.js';
import { FieldName } from './field-name.js';
import type { RuleSet } from './rule-set.js';
import { finished, type Slices } from '../slices.js';
import { cannotScan, findingOf, MAX_SCANNED, stringScan, verdictOf } from './scan-text.js';

/**
 * Field names that are too general to show what their value is. For such a value, the name of the
 * enclosing field counts instead.
 */
const GENERAL_NAME = /^(?:value|val|v|data|text|content|raw|number|no|nr)$/i;

/** Field names whose text names what the value beside it is, as in `{ "key": "phone", "value": "…" }`. */
const NAMING = ['key', 'name', 'field', 'attribute', 'label', 'title', 'question'] as const;
const MAX_NAME = 80;

function nameIn(value: JsonObject): FieldName | undefined {
  for (const field of NAMING) {
    const name = Object.hasOwn(value, field) ? value[field] : undefined;
    if (typeof name === 'string' && name.length <= MAX_NAME) return new FieldName(name);
  }
  return undefined;
}

/** A key with so many digits is data, and the name of the object is the name of its field. */
const DATA_KEY = /\d{4}/;

/** Returns the entries of an object in a fixed order. Paths number the entries in this order. */
export const sortedEntries = (value: JsonObject): readonly (readonly [string, Json])[] =>
  Object.keys(value)
    .sort()
    .map((key) => [key, value[key] as Json] as const);

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/**
 * The items of lists in which a scan has found nothing, so that the next scan of a list that has grown, such as the
 * messages of a conversation, scans only its new items. Keys are hashes of an item and of everything else that its scan
 * depends on, except the rules: use each instance with one set of rules.
 */
export interface ClearItems {
  /** Returns the number of characters that the scan of the item counted; undefined if no scan has found the item clear. */
  get(key: string): number | undefined;
  set(key: string, characters: number): void;
}

/** A shorter text is scanned faster than it is hashed. */
const HASHED_LENGTH = 100;

const isWorthHashing = (item: Json): boolean =>
  typeof item === 'string'
    ? item.length > HASHED_LENGTH
    : typeof item === 'object' && item !== null;

/** A leaf costs as much as the scan of so many characters, however short it is. */
const LEAF_WORK = 30;
const WORK_IN_SLICE = 1_000;

class Unscanned extends Error {
  constructor(readonly reason: Unscannable) {
    super(reason);
  }
}

class JsonScan {
  readonly findings: Finding[] = [];
  private scanned = 0;
  private sinceYield = 0;

  constructor(
    private readonly rules: RuleSet,
    private readonly clear: ClearItems | undefined,
  ) {}

  *visit(value: Json, label: FieldName, path: readonly PathStep[]): Slices<void> {
    if (path.length > MAX_DEPTH) throw new Unscanned('too_deep');
    if (this.sinceYield > WORK_IN_SLICE) {
      this.sinceYield = 0;
      yield;
    }
    if (typeof value === 'string') yield* this.scanLeaf(value, label, path, false);
    else if (typeof value === 'number') yield* this.visitNumber(value, label, path);
    else if (value === null || typeof value === 'boolean') this.count(1);
    else if (isList(value)) yield* this.visitList(value, label, path);
    else yield* this.visitObject(value, label, path);
  }

  private *visitNumber(value: number, label: FieldName, path: readonly PathStep[]): Slices<void> {
    if (Number.isInteger(value)) yield* this.scanLeaf(String(value), label, path, false);
    else this.count(1);
  }

  private *visitList(
    value: readonly Json[],
    label: FieldName,
    path: readonly PathStep[],
  ): Slices<void> {
    this.count(1);
    for (const [index, item] of value.entries()) {
      const place = [...path, index];
      if (this.clear === undefined || !isWorthHashing(item)) yield* this.visit(item, label, place);
      else yield* this.visitItem(item, label, place, this.clear);
    }
  }

  /** Visits an item of a list, unless a scan has found it clear with the same label at the same depth. */
  private *visitItem(
    item: Json,
    label: FieldName,
    path: readonly PathStep[],
    clear: ClearItems,
  ): Slices<void> {
    const key = hashJson([label.key, path.length, item]);
    const known = clear.get(key);
    if (known !== undefined) return this.count(known);
    const [findings, scanned] = [this.findings.length, this.scanned];
    yield* this.visit(item, label, path);
    if (this.findings.length === findings) clear.set(key, this.scanned - scanned);
  }

  private *visitObject(
    value: JsonObject,
    label: FieldName,
    path: readonly PathStep[],
  ): Slices<void> {
    this.count(1);
    const naming = nameIn(value);
    for (const [number, [key, item]] of sortedEntries(value).entries()) {
      const flagged = yield* this.scanLeaf(
        key,
        DATA_KEY.test(key) ? label : FieldName.none,
        [...path, number],
        true,
      );
      // A key with a finding is named by its number, because a path must hold nothing personal.
      const inner = GENERAL_NAME.test(key) ? (naming ?? label) : new FieldName(key);
      yield* this.visit(item, inner, [...path, flagged ? number : key]);
    }
  }

  private *scanLeaf(
    text: string,
    label: FieldName,
    path: readonly PathStep[],
    in_key: boolean,
  ): Slices<boolean> {
    this.count(text.length + 1);
    const hits = yield* stringScan(text, { label, rules: this.rules });
    if (typeof hits === 'string') throw new Unscanned(hits);
    for (const hit of hits) this.findings.push(findingOf(hit, { path, in_key }, this.rules));
    return hits.length > 0;
  }

  private count(characters: number): void {
    this.scanned += characters;
    this.sinceYield += characters + LEAF_WORK;
    if (this.scanned > MAX_SCANNED) throw new Unscanned('too_large');
  }
}

/**
 * Scans the strings, whole numbers and keys of a JSON value for personal data and secrets, down to MAX_DEPTH (SPEC
 * P1, P2). The name of a field counts as context for its value. @param label the name of the field that contains the
 * whole value. @param clear remembers items that contain nothing; the verdict is the same without it.
 */
export const scanJson = (value: Json, rules: RuleSet, label = '', clear?: ClearItems): Verdict =>
  finished(jsonScan(value, rules, label, clear));

/** The same as `scanJson`, in slices. */
export function* jsonScan(
  value: Json,
  rules: RuleSet,
  label = '',
  clear?: ClearItems,
): Slices<Verdict> {
  const scan = new JsonScan(rules, clear);
  try {
    yield* scan.visit(value, new FieldName(label), []);
  } catch (error) {
    if (error instanceof Unscanned) return cannotScan(error.reason, rules);
    throw error;
  }
  return verdictOf(scan.findings, rules.version);
}
