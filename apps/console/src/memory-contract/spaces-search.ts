import { given, oneOf, textIn, wholeIn } from '../data/search-params';

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

export const VIEWS = ['conversation', 'items', 'phases', 'decisions'] as const;
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
  /** An event of the first turn that a conversation shows. */
  readonly turn?: number;
  /** The event before which the last turn of a conversation stands. */
  readonly before?: number;
}

export const spacesSearchOf = ({ space, owner }: Record<string, unknown>): SpacesSearch =>
  given({ space: oneOf(SPACES, space), owner: textIn(owner) });

export const storeSearchOf = (search: Record<string, unknown>): StoreSearch =>
  given({
    view: oneOf(VIEWS, search['view']),
    tick: wholeIn(search['tick']),
    kind: oneOf(ITEM_KINDS, search['kind']),
    phase: textIn(search['phase']),
    from: textIn(search['from']),
    to: textIn(search['to']),
    format: oneOf(['plain'] as const, search['format']),
    turn: wholeIn(search['turn']),
    before: wholeIn(search['before']),
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
