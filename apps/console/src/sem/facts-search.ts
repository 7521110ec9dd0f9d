import { given, textIn, wholeIn } from '../data/search-params';

/** The list of facts, as the address of the page has it. */
export interface FactsSearch {
  readonly prefix?: string;
}

/** Which state of a fact the page shows, as its address has it. */
export interface FactSearch {
  /** The number of an event of the fact’s stream. */
  readonly version?: number;
  /** `sem:<hash>`, as pinned by a job. */
  readonly snapshot?: string;
  /** The versions of a comparison. */
  readonly from?: number;
  readonly to?: number;
}

export const factsSearchOf = ({ prefix }: Record<string, unknown>): FactsSearch =>
  given({ prefix: textIn(prefix) });

export const factSearchOf = (search: Record<string, unknown>): FactSearch =>
  given({
    version: wholeIn(search['version']),
    snapshot: textIn(search['snapshot']),
    from: wholeIn(search['from']),
    to: wholeIn(search['to']),
  });
