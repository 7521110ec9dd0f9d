import { SealedTable } from '#read-model/sealed-table.js';

/** The columns of the tables `fact` and `history` that a put or a deletion fills. */
export interface Written {
  /** Canonical JSON of the value, or of its sealed form. */
  readonly held: string | null;
  readonly is_sealed: boolean;
  readonly timestamp: string | null;
  readonly source: string | null;
  readonly notes: string | null;
  readonly meta: string | null;
}

/** A row of the `fact` table. */
export interface FactRow extends Written {
  readonly key: string;
  readonly scope: string;
  readonly entity_id: string;
  readonly revision: number;
  readonly n: string | number | null;
  readonly is_current: boolean;
}

/** A row of the `history` table. */
export interface HistoryRow extends Written {
  readonly n: string | number;
  readonly key: string;
  readonly revision: number;
  readonly type: string;
  readonly is_decisive: boolean;
  readonly actor: string;
  readonly recorded_at: string;
}

/** A row of the `owner` table. */
export interface OwnerRow {
  readonly slug: string;
  readonly raw_id: string;
}

const WRITTEN = {
  held: 'plain',
  is_sealed: 'plain',
  timestamp: 'plain',
  source: 'plain',
  notes: 'plain',
  meta: 'plain',
} as const;

export const FACT = new SealedTable<FactRow>('sem.fact', ['key'], {
  key: 'plain',
  scope: 'plain',
  entity_id: 'plain',
  revision: 'plain',
  n: 'bigint',
  is_current: 'plain',
  ...WRITTEN,
});

export const HISTORY = new SealedTable<HistoryRow>('sem.history', ['n'], {
  n: 'bigint',
  key: 'plain',
  revision: 'plain',
  type: 'plain',
  is_decisive: 'plain',
  ...WRITTEN,
  actor: 'plain',
  recorded_at: 'plain',
});

export const OWNER = new SealedTable<OwnerRow>('sem.owner', ['slug'], {
  slug: 'plain',
  raw_id: 'plain',
});
