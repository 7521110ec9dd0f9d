export const SPACES = ['session', 'user', 'project', 'system'] as const;
export type Space = (typeof SPACES)[number];

export const ITEM_KINDS = ['short_term', 'semantic', 'profile'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** The list of stores, as the address of the page has it. */
export interface SpacesSearch {
  readonly space?: Space;
  /** The beginning of the owner's name. */
  readonly owner?: string;
}

export const VIEWS = ['items', 'phases', 'decisions'] as const;
export type View = (typeof VIEWS)[number];

/** What the page of one store shows, as its address has it. */
export interface StoreSearch {
  readonly view?: View;
  readonly tick?: number;
  readonly kind?: ItemKind;
  readonly phase?: string;
  /** The phases of a comparison. */
  readonly from?: string;
  readonly to?: string;
  readonly format?: 'plain';
}

const oneOf = <Value extends string>(values: readonly Value[], value: unknown) =>
  values.find((one) => one === value);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined;

const wholeOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
};

const given = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };

export const spacesSearchOf = (search: Record<string, unknown>): SpacesSearch => ({
  ...given('space', oneOf(SPACES, search['space'])),
  ...given('owner', textOf(search['owner'])),
});

export const storeSearchOf = (search: Record<string, unknown>): StoreSearch => ({
  ...given('view', oneOf(VIEWS, search['view'])),
  ...given('tick', wholeOf(search['tick'])),
  ...given('kind', oneOf(ITEM_KINDS, search['kind'])),
  ...given('phase', textOf(search['phase'])),
  ...given('from', textOf(search['from'])),
  ...given('to', textOf(search['to'])),
  ...given('format', oneOf(['plain'] as const, search['format'])),
});

/** A store of the Memory Contract, as the parts of its page take it. */
export interface StoreOf {
  readonly space: Space;
  readonly owner: string;
}

/** What each part of the page takes. */
export interface StorePartProps extends StoreOf {
  readonly search: StoreSearch;
  readonly show: (search: StoreSearch) => void;
}
