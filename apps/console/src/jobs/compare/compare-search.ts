import { given, textIn } from '../../data/search-params';

/** The seeds of the two jobs, as the address has them. */
export interface CompareSearch {
  readonly left?: string;
  readonly right?: string;
}

export const compareSearchOf = (search: Record<string, unknown>): CompareSearch =>
  given({ left: textIn(search['left']), right: textIn(search['right']) });
