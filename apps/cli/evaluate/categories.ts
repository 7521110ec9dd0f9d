import { couldNotCheck } from '../exit-code.js';
import type { Conversation } from './conversations.js';

/**
 * The categories of the LoCoMo set (Maharana et al., 2024), from which many such files come. Questions of
 * the fifth ask for what was never said.
 */
const KNOWN_SET = ['1', '2', '3', '4', '5'];
const NEVER_SAID = '5';

/** The categories of a file, and those that its overall figures cover. */
export interface Categories {
  /** Sorted; null for questions without a category. */
  readonly all: readonly (string | null)[];
  readonly covered: ReadonlySet<string | null>;
}

/**
 * Decides which categories the overall figures cover: those that are asked for, else all. In a file whose categories
 * are the numbers 1 to 5, the fifth is not covered unless it is asked for.
 */
export function categoriesOf(
  conversations: readonly Conversation[],
  asked: readonly string[] | undefined,
): Categories {
  const found = conversations.flatMap(({ questions }) => questions.map(({ category }) => category));
  const all = [...new Set(found)].sort(byName);
  const unknown = asked?.find((category) => !all.includes(category));
  if (unknown !== undefined)
    throw couldNotCheck(`No question has the category ${JSON.stringify(unknown)}.`);
  if (asked !== undefined) return { all, covered: new Set(asked) };
  const isKnownSet = all.every((category) => category !== null && KNOWN_SET.includes(category));
  return {
    all,
    covered: new Set(isKnownSet ? all.filter((category) => category !== NEVER_SAID) : all),
  };
}

function byName(left: string | null, right: string | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return left.localeCompare(right, 'en', { numeric: true });
}

export const shownCategory = (category: string | null): string => category ?? 'none';
