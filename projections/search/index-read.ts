import type { SearchKind } from '#domain/search/kinds.js';
import type { ReadableScopes } from '#domain/search/scopes.js';
import type { NamedQuery, Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { PartitionCache } from './partition-cache.js';
import type { PartitionEntries } from './partition-entries.js';
import type { Postings } from './term-postings.js';

const PARTITIONS: NamedQuery = {
  name: 'search_partitions',
  text: `
    select id, kind, space from search.partition
    where scope = any($2::text[]) and kind = any($1::text[])
    union all
    select id, kind, space from unnest($3::text[]) as prefix
    join search.partition on scope >= prefix and scope < prefix || U&'\\+10FFFF'
    where kind = any($1::text[])
    union all
    (select id, null, null from search.partition order by id desc limit 1)`,
};

// One statement makes the read consistent: every entry of a posting is in a block that is read or known. The lateral
// joins keep the plan on the primary keys, however the tables grow.
const READ: NamedQuery = {
  name: 'search_index',
  text: `
    select 'index' as what, (select max(id) from search.partition) as partition,
      ('search.block'::regclass::oid)::text as name, version as block, null::bytea as data,
      null::bytea as deaths, position as changed
    from search.checkpoint
    union all
    select 'partition', id, null, entries, null, null, null
    from search.partition where id = any($1::int[])
    union all
    select 'block', known.partition, null, one.block, one.data, one.deaths, one.changed
    from unnest($1::int[], $2::int8[]) as known (partition, changed)
    cross join lateral (
      select block, data, deaths, changed from search.block
      where block.partition = known.partition and block.changed > known.changed
    ) as one
    union all
    select 'posting', wanted.partition, wanted.term, one.block, one.data, null, null
    from unnest($3::int[], $4::text[], $5::int[]) as wanted (partition, term, block)
    cross join lateral (
      select block, data from search.posting
      where posting.partition = wanted.partition and posting.term = wanted.term
      and posting.block >= wanted.block
    ) as one
    union all
    select 'label', known.id, one.name, one.code, null, null, null
    from unnest($6::int[]) as known (id) cross join lateral (
      select name, code from search.label
      where label.partition = known.id and label.name = any($7::text[])
    ) as one
    union all
    select 'container', known.id, null, one.code, null, null, null
    from unnest($8::int[]) as known (id) cross join lateral (
      select code from search.container
      where container.partition = known.id
      and ($9::text[] is null or name = any($9::text[]) or name ^@ any($10::text[]))
      and ($11::text is null or session_id = $11::text)
    ) as one`,
};

interface Row {
  readonly what: 'index' | 'partition' | 'block' | 'posting' | 'label' | 'container';
  readonly partition: number | null;
  readonly name: string | null;
  readonly block: number | null;
  readonly data?: Buffer | null;
  readonly deaths?: Buffer | null;
  readonly changed?: string | null;
}

/** A part of the index that a query needs. */
export interface Wanted {
  readonly kinds: readonly SearchKind[];
  readonly scopes: ReadableScopes;
  readonly terms: readonly string[];
  readonly labels: readonly string[];
  /** The containers of which hits are wanted; undefined if they do not matter. */
  readonly containers: WantedContainers | undefined;
}

export interface WantedContainers {
  /** Names, and beginnings of names; null for any name. */
  readonly names: readonly string[] | null;
  readonly prefixes: readonly string[];
  readonly session?: string | undefined;
}

/** One partition, with what a query needs of it. */
export interface FoundPartition {
  readonly id: number;
  readonly kind: SearchKind;
  readonly space: string | null;
  readonly entries: PartitionEntries;
  readonly postings: ReadonlyMap<string, Postings>;
  /** The codes of the wanted labels that it has. */
  readonly labels: ReadonlyMap<string, number>;
  /** The codes of the wanted containers. */
  readonly containers: ReadonlySet<number>;
}

export interface FoundIndex {
  /** The position up to which the index shows the log; undefined before its first checkpoint. */
  readonly position: bigint | undefined;
  readonly partitions: readonly FoundPartition[];
}

interface Partition {
  readonly id: number;
  readonly kind: SearchKind;
  readonly space: string | null;
}

/** The partitions of a caller. */
interface Readable {
  readonly partitions: readonly Partition[];
  /** The largest id of a partition in the index at that time; -1 without one. */
  readonly last: number;
}

const MAX_REMEMBERED = 10_000;

/** Reads the index, and keeps what never changes in memory: the blocks of entries, and postings that are full. */
export class IndexRead {
  private cache = new PartitionCache();
  /** The partitions that were found last for the same kinds and scopes. */
  private readonly readable = new Map<string, Readable>();

  /** @param version the version of the tables that this program reads */
  constructor(
    private readonly postgres: Postgres,
    private readonly version: number,
  ) {}

  async find(wanted: Wanted): Promise<FoundIndex> {
    const key = JSON.stringify([wanted.kinds, wanted.scopes]);
    const known = this.readable.get(key) ?? (await this.resolve(key, wanted));
    const { cache } = this;
    const ids = known.partitions.map(({ id }) => id);
    const labelled = ids.filter((id) => cache.use(id).mayHaveLabels);
    const rows = await this.read(ids, labelled, wanted);
    const [index] = rows.filter(({ what }) => what === 'index');
    if (index?.block !== this.version)
      throw new PostgresUnavailable('the search index of another version is being replaced');
    const table = index.name ?? undefined;
    if (table !== cache.table || (index.partition ?? -1) !== known.last) {
      if (table !== this.cache.table) this.cache = new PartitionCache(table);
      await this.resolve(key, wanted);
      return this.find(wanted);
    }
    const partitions = this.take(known.partitions, rows, wanted);
    cache.trim(new Set(ids));
    // The first label of a partition may have arrived with its block.
    if (
      wanted.labels.length > 0 &&
      ids.some((id) => cache.use(id).mayHaveLabels && !labelled.includes(id))
    )
      return this.find(wanted);
    const position = index.changed ?? undefined;
    return { position: position === undefined ? undefined : BigInt(position), partitions };
  }

  private read(
    ids: readonly number[],
    labelled: readonly number[],
    { terms, labels, containers }: Wanted,
  ): Promise<Row[]> {
    const { cache } = this;
    const { names = null, prefixes = [], session = null } = containers ?? {};
    return this.postgres.query<Row>(READ, [
      ids,
      ids.map((id) => cache.use(id).changed),
      ids.flatMap((id) => terms.map(() => id)),
      ids.flatMap(() => terms),
      ids.flatMap((id) => terms.map((term) => cache.use(id).postings.nextOf(term))),
      labels.length === 0 ? [] : labelled,
      labels,
      containers === undefined ? [] : ids,
      ...[names, prefixes, session],
    ]);
  }

  /** Reads which partitions a caller may read. */
  private async resolve(key: string, { kinds, scopes }: Wanted): Promise<Readable> {
    const rows = await this.postgres.query<{
      id: number;
      kind: SearchKind | null;
      space: string | null;
    }>(PARTITIONS, [kinds, scopes.exact, scopes.prefixes]);
    const readable = {
      partitions: rows.flatMap(({ id, kind, space }) =>
        kind === null ? [] : [{ id, kind, space: space === '' ? null : space }],
      ),
      last: rows.find(({ kind }) => kind === null)?.id ?? -1,
    };
    if (this.readable.size >= MAX_REMEMBERED) this.readable.clear();
    this.readable.set(key, readable);
    return readable;
  }

  private take(
    readable: readonly Partition[],
    rows: readonly Row[],
    { terms }: Wanted,
  ): FoundPartition[] {
    const found = new Map(readable.map((one) => [one.id, new Found(one, this.cache)]));
    for (const row of rows) {
      const partition = row.partition === null ? undefined : found.get(row.partition);
      if (partition === undefined || row.block === null) continue;
      partition.take({ ...row, block: row.block });
    }
    return [...found.values()].map((partition) => partition.withPostings(terms));
  }
}

/** Collects what was read of a partition. */
class Found {
  private readonly labels = new Map<string, number>();
  private readonly containers = new Set<number>();
  private readonly blocks = new Map<string, { block: number; data: Buffer }[]>();
  /** The number of entries at the time of the read. */
  private count = 0;

  constructor(
    private readonly partition: Partition,
    private readonly cache: PartitionCache,
  ) {}

  take({ what, name, block, data, deaths, changed }: Row & { readonly block: number }): void {
    switch (what) {
      case 'partition':
        this.count = block;
        break;
      case 'block': {
        const row = { block, data: data!, deaths: deaths!, changed: Number(changed) };
        this.cache.put(this.partition.id, row);
        break;
      }
      case 'posting': {
        const blocks = this.blocks.get(name!) ?? [];
        blocks.push({ block, data: data! });
        this.blocks.set(name!, blocks);
        break;
      }
      case 'label':
        this.labels.set(name!, block);
        break;
      case 'container':
        this.containers.add(block);
        break;
      case 'index':
        break;
    }
  }

  withPostings(terms: readonly string[]): FoundPartition {
    const { partition, labels, containers, count } = this;
    const entries = this.cache.use(partition.id);
    const postings = new Map(
      terms.map((term) => [term, entries.postings.of(term, this.blocks.get(term) ?? [], count)]),
    );
    return { ...partition, entries, postings, labels, containers };
  }
}
