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

const given = <Value>(name: string, value: Value | undefined) =>
  value === undefined ? {} : { [name]: value };

const wholeOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
};

export function factsSearchOf({ prefix }: Record<string, unknown>): FactsSearch {
  return typeof prefix === 'string' && prefix !== '' ? { prefix } : {};
}

export function factSearchOf(search: Record<string, unknown>): FactSearch {
  const { snapshot } = search;
  return {
    ...given('version', wholeOf(search['version'])),
    ...(typeof snapshot === 'string' && snapshot !== '' ? { snapshot } : {}),
    ...given('from', wholeOf(search['from'])),
    ...given('to', wholeOf(search['to'])),
  };
}
