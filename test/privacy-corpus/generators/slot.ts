import type { Random } from '../random.js';

/** The part of a slot that a generator reads: `{phone:GB national}` has a region and one option. */
export interface SlotForm {
  /** The ISO country code that the slot names, otherwise the template's. */
  readonly region: string;
  readonly language: string;
  readonly options: readonly string[];
}

export type Generator = (random: Random, form: SlotForm) => string;

/** Picks one of the forms that the slot names, or any of `all` if it names none. */
export function pickForm<T extends string>(random: Random, form: SlotForm, all: readonly T[]): T {
  const named = all.filter((each) => form.options.includes(each));
  return random.pick(named.length > 0 ? named : all);
}

/** Returns the region's entry, and names the region if the table has none. */
export function entryOf<T>(table: Readonly<Record<string, T>>, { region }: SlotForm): T {
  const entry = table[region];
  if (entry === undefined) throw new Error(`The generator has no entry for ${region}.`);
  return entry;
}

/** Splits a text into groups of these lengths. */
export function grouped(text: string, lengths: readonly number[], separator: string): string {
  let start = 0;
  return lengths.map((length) => text.slice(start, (start += length))).join(separator);
}
