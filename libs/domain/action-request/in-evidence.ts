import type { Json, JsonObject } from '../json.js';
import { Amounts, amountsIn, type Claims, claimsOf, MAX_PARTS } from './claims.js';
import { isList, isScalar, type Leaf, leavesOf, partsOf, type Scalar } from './leaves.js';
import { formOf } from './numbers.js';
import { Phrases } from './phrases.js';
import { SAYS_SOMETHING, tokensOf } from './tokens.js';

/** Names of fields that say what an entry is or where it comes from, and not what was found there. */
const ABOUT_ENTRY: ReadonlySet<string> = new Set([
  ...['type', 'kind', 'source', 'role', 'url', 'read_at'],
  ...['tool', 'tool_name', 'tool_call_id', 'episodic_id', 'stream', 'hash'],
]);

/** The number of texts that are read as JSON. The results of tools are often such texts, each a long one. */
const MAX_JSON_TEXTS = 100;

/** Returns what an entry says beside what it is. What has no letter, digit or symbol says nothing. */
export function saidIn(entry: JsonObject): readonly Leaf[] {
  const said: Leaf[] = [];
  for (const [field, value] of Object.entries(entry)) {
    if (isAboutEntry(entry, field, value)) continue;
    for (const leaf of isScalar(value) ? [{ field, value }] : leavesOf(value, field))
      if (leaf.value !== null && SAYS_SOMETHING.test(String(leaf.value))) said.push(leaf);
  }
  return said;
}

const isAboutEntry = (entry: JsonObject, field: string, value: Json): boolean =>
  ABOUT_ENTRY.has(field) ||
  (field === 'note' && !isScalar(value)) ||
  ((field === 'number' || field === 'event_number') && Object.hasOwn(entry, 'stream'));

/** True if an entry names an episode, a note or an event. */
const namesSource = ({ episodic_id, note, stream, number, event_number }: JsonObject): boolean =>
  (typeof episodic_id === 'string' && episodic_id !== '') ||
  (typeof stream === 'string' && typeof (number ?? event_number) === 'number') ||
  (isRecord(note) && typeof note['stream'] === 'string' && typeof note['version'] === 'number');

/** True if the entries say something, or name what does. @param unfound the entries that name what was not found, from 0 */
export function isEvidence(
  evidence: readonly JsonObject[],
  unfound: readonly number[] = [],
): boolean {
  const isUnfound = new Set(unfound);
  return evidence.some(
    (entry, at) => (namesSource(entry) && !isUnfound.has(at)) || saidIn(entry).length > 0,
  );
}

const isRecord = (value: Json | undefined): value is JsonObject =>
  value !== undefined && !isScalar(value) && !isList(value);

/** Finds what values claim in texts, in time that grows with the claims and the texts together. */
class Search {
  private readonly phrases: Phrases;
  /** The numbers of the claims: others are of no account. */
  private readonly sought: ReadonlySet<number>;
  private readonly numbers = new Set<number>();
  private readonly amounts = new Amounts();
  private readonly characters = new Set<string>();
  private readonly hasWords: boolean;
  private readonly hasCharacters: boolean;

  constructor(claims: readonly Claims[]) {
    this.phrases = new Phrases(
      claims.flatMap(({ texts, names }) => [
        ...texts,
        ...names.flat().flatMap((stem) => [[stem], [`${stem}s`]]),
      ]),
    );
    this.hasWords = claims.some(({ texts, names }) => texts.length + names.length > 0);
    this.sought = new Set(
      claims.flatMap(({ numbers, amounts }) => [
        ...numbers,
        ...amounts.flatMap(({ readings }) => readings),
      ]),
    );
    this.hasCharacters = claims.some(({ characters }) => characters.length > 0);
  }

  read(form: string): void {
    if (this.hasWords) this.phrases.read(tokensOf(form));
    if (this.sought.size > 0) this.readNumbers(form);
    if (this.hasCharacters) for (const character of form) this.characters.add(character);
  }

  private readNumbers(form: string): void {
    const isSought = (number: number): boolean => this.sought.has(number);
    for (const amount of amountsIn(form, isSought)) {
      for (const reading of amount.readings) this.numbers.add(reading);
      this.amounts.add(amount);
    }
  }

  /**
   * Returns whether the texts have the words of each text, each number, in no other currency, and half of the words of each
   * name of a claim.
   */
  found(): (claims: Claims) => boolean {
    const isFound = this.phrases.found();
    const isWordFound = (stem: string) => isFound([stem]) || isFound([`${stem}s`]);
    return ({ numbers, amounts, texts, characters, names }) =>
      numbers.every((number) => this.numbers.has(number)) &&
      !amounts.some((amount) => this.amounts.areOther(amount)) &&
      characters.every((character) => this.characters.has(character)) &&
      texts.every(isFound) &&
      names.every(
        (stems) => stems.length > 0 && 2 * stems.filter(isWordFound).length >= stems.length,
      );
  }
}

/** A part of a value, with its name: its field, or the attribute of the fact. */
export interface NamedPart {
  readonly name: string;
  readonly value: Scalar;
}

/** Returns those of a value's parts that texts of the evidence do not contain, as the risk compares the whole value. */
export function missingParts<Part extends NamedPart>(
  parts: readonly Part[],
  texts: readonly string[],
): readonly Part[] {
  const claims = parts.map((part) => claimsOf(part.value, part.name));
  const search = new Search(claims);
  for (const text of texts) search.read(formOf(text));
  const isFound = search.found();
  return parts.filter((_, at) => !isFound(claims[at]!));
}

/** A value in the form in which it is compared. */
interface Compared {
  readonly claims: Claims;
  readonly isTooLarge: boolean;
  readonly search: Search;
  readonly records: Records;
}

/** Compares a value with entries of the evidence, in time that grows with the value and the entries together. */
export class Comparison {
  /** Undefined as long as no entry says anything: then the value need not be read. */
  private compared: Compared | undefined;

  /** @param attribute the name of the value: the attribute of its key */
  constructor(
    private readonly value: Json,
    private readonly attribute: string,
  ) {}

  /** Reads entries, in addition to those that were read before. */
  read(entries: readonly JsonObject[]): void {
    for (const entry of entries) {
      const said = saidIn(entry);
      if (said.length === 0) continue;
      const { isTooLarge, search, records } = (this.compared ??= this.prepare());
      if (isTooLarge) continue;
      for (const { value } of said) search.read(formOf(String(value)));
      records.read(entry);
    }
  }

  private prepare(): Compared {
    const claims = claimsOf(this.value, this.attribute);
    const isTooLarge = claims.count > MAX_PARTS;
    const search = new Search(isTooLarge ? [] : [claims]);
    return { claims, isTooLarge, search, records: new Records(this.value) };
  }

  /**
   * True if the entries contain the value: the words of each text, each number, in no other currency, and half of the words
   * of each name that claims something. Undefined if nothing can be compared: the value is empty, or the entries only name episodes, events
   * or tools.
   */
  result(): boolean | undefined {
    if (this.compared === undefined || this.compared.claims.count === 0) return undefined;
    const { claims, isTooLarge, search, records } = this.compared;
    return !isTooLarge && !records.contradict() && search.found()(claims);
  }
}

/** The fewest fields that a record of the evidence shares with the value. */
const FEWEST_SHARED = 2;

/**
 * Compares the value, if it is a record, with the records of the evidence that have two of its fields or more. They name
 * who is who, so words that stand anywhere else do not count against all of them: the payer is not the payee.
 */
class Records {
  private readonly fields = new Map<string, string>();
  private jsonTexts = 0;
  private shared = 0;
  private agreeing = 0;

  constructor(value: Json) {
    if (!isRecord(value)) return;
    for (const [field, part] of Object.entries(value))
      if (part !== null && isScalar(part)) this.fields.set(field, comparable(part));
  }

  read(entry: JsonObject): void {
    if (this.fields.size < FEWEST_SHARED) return;
    this.readParts(entry);
    for (const text of Object.values(entry))
      if (typeof text === 'string' && /^\s*[[{]/.test(text)) this.readJson(text);
  }

  contradict(): boolean {
    return this.shared > 0 && this.agreeing === 0;
  }

  private readJson(text: string): void {
    if (this.jsonTexts === MAX_JSON_TEXTS) return;
    this.jsonTexts += 1;
    let parsed: Json;
    try {
      parsed = JSON.parse(text) as Json;
    } catch {
      return; // It only looks like JSON.
    }
    this.readParts(parsed);
  }

  private readParts(whole: Json): void {
    for (const { value } of partsOf(whole)) if (isRecord(value)) this.readRecord(value);
  }

  private readRecord(record: JsonObject): void {
    let shared = 0;
    let isAgreeing = true;
    for (const [field, part] of Object.entries(record)) {
      const ours = this.fields.get(field);
      if (ours === undefined || part === null || !isScalar(part)) continue;
      shared += 1;
      isAgreeing &&= isWithin(comparable(part), ours);
    }
    if (shared < FEWEST_SHARED) return;
    this.shared += 1;
    if (isAgreeing) this.agreeing += 1;
  }
}

/** The longest text that is sought within another one; a longer one has to be all of it. */
const MOST_SOUGHT = 200;

const isWithin = (theirs: string, ours: string): boolean =>
  ours.length > MOST_SOUGHT ? theirs === ours : theirs.includes(ours);

const comparable = (value: Scalar): string => ` ${[...tokensOf(formOf(String(value)))].join(' ')} `;
