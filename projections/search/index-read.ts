import { LruMap, stringBytes } from '#bounded/lru-map.js';
import { inSlices } from '#bounded/slices.js';
import type { EntryKind } from '#domain/search/kinds.js';
import type { ReadableScopes } from '#domain/search/scopes.js';
import type { Slices } from '#domain/slices.js';
import { Turns } from '#event-store/turns.js';
import { laterOf } from '#read-model/later-of.js';
import type { NamedQuery, Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { positionOf } from '#read-model/schema-layout.js';
import { BLOCK_SIZE } from './index-codec.js';
import { PartitionCache } from './partition-cache.js';
import { type BlockRow, PartitionEntries } from './partition-entries.js';
import type { KeptPostings, PostingBlock, Postings } from './term-postings.js';

const PARTITIONS: NamedQuery = {
  name: 'search_partitions',
  text: `
    select id, kind, space, entries from search.partition
    where scope = any($2::text[]) and kind = any($1::text[]) and entries > 0
    union all
    select id, kind, space, entries from unnest($3::text[]) as prefix
    join search.partition on scope >= prefix and scope < prefix || U&'\\+10FFFF'
    where kind = any($1::text[]) and entries > 0
    union all
    select coalesce(max(id), -1), null, ('search.block'::regclass::oid)::text, 0 from search.partition`,
};

// Each array is in a subquery: Postgres would otherwise plan the statement anew for each execution, because it could
// estimate the length of the array, and planning takes longer than the read itself. The lateral joins keep the plan on
// the primary keys, however the tables grow.
const ENTRIES_AND_POSTINGS = `
    select 'index' as what, (select max(id) from search.partition) as partition,
      ('search.block'::regclass::oid)::text as name, version as block, null::bytea as data,
      null::bytea as deaths, position as changed
    from search.checkpoint
    union all
    select 'partition', known.id, null, partition.entries, null, null, null
    from unnest((select $1::int[])) as known (id)
    join search.partition on partition.id = known.id
    union all
    select 'block', known.partition, null, one.block, one.data, one.deaths, one.changed
    from unnest((select $1::int[]), (select $2::int8[])) as known (partition, changed)
    cross join lateral (
      select block, data, deaths, changed from search.block
      where block.partition = known.partition and block.changed > known.changed
    ) as one
    union all
    select 'posting', wanted.partition, wanted.term, one.block, one.data, null, null
    from unnest((select $3::int[]), (select $4::text[]), (select $5::int[]))
      as wanted (partition, term, block)
    cross join lateral (
      select block, data from search.posting
      where posting.partition = wanted.partition and posting.term = wanted.term
      and posting.block >= wanted.block
    ) as one`;

// One statement makes the read consistent: every entry of a posting is in a block that is read or known.
const READ: NamedQuery = { name: 'search_index', text: ENTRIES_AND_POSTINGS };

const READ_WITH_NAMES: NamedQuery = {
  name: 'search_index_with_names',
  text: `${ENTRIES_AND_POSTINGS}
    union all
    select 'label', known.id, one.name, one.code, null, null, null
    from unnest((select $6::int[])) as known (id) cross join lateral (
      select name, code from search.label
      where label.partition = known.id and label.name = any((select $7::text[])::text[])
    ) as one
    union all
    select 'container', known.id, null, one.code, null, null, null
    from unnest((select $8::int[])) as known (id) cross join lateral (
      select code from search.container
      where container.partition = known.id
      and ($9::text[] is null or name = any($9::text[]) or name ^@ any($10::text[]))
      and ($11::text is null or session_id = $11::text)
    ) as one`,
};

const LAST_CHANGE: NamedQuery = {
  name: 'search_last_change',
  text: 'select max(changed) as changed from search.block where partition = $1',
};

const BLOCKS: NamedQuery = {
  name: 'search_blocks',
  text: `select block, data, deaths, changed from search.block
    where partition = $1 and block >= $2 and block < $3`,
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
  readonly kinds: readonly EntryKind[];
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
  readonly kind: EntryKind;
  readonly space: string | null;
  readonly entries: PartitionEntries;
  /** The postings of each wanted term, in their order. */
  readonly postings: readonly Postings[];
  /** The codes of the wanted labels that it has. */
  readonly labels: ReadonlyMap<string, number>;
  /** The codes of the wanted containers. */
  readonly containers: ReadonlySet<number>;
}

export interface FoundIndex {
  /** The oid of the tables in which it is. */
  readonly table: string | undefined;
  /** The position up to which the index shows the log; undefined before its first checkpoint. */
  readonly position: bigint | undefined;
  readonly partitions: readonly FoundPartition[];
}

/** What earlier reads found, with what shows whether a read would find it again. */
export interface RememberedIndex extends FoundIndex {
  /** The largest id of a partition in the index; -1 without one. */
  readonly last: number;
  /** The position of the last event that changed each partition. */
  readonly changed: readonly number[];
}

/** The state of the index, which a statement reads together with the hits. */
interface IndexState {
  readonly version: number;
  readonly position: string | null;
  readonly table: string;
  /** The largest id of a partition. */
  readonly last: number | null;
  /** True if an event has changed one of the partitions since. */
  readonly isChanged: boolean;
}

/**
 * Reads the state of the index in one column, `index_state`, because pg takes long to parse more columns of each row.
 * @param ids the parameter with the ids of partitions
 * @param changed the parameter with the position of the last known change of each one
 */
export const indexStateSql = (ids: string, changed: string): string => `
  select json_build_object(
    'version', version, 'position', position::text,
    'table', ('search.block'::regclass::oid)::text,
    'last', (select max(id) from search.partition),
    'isChanged', exists (
      select from unnest((select ${ids}::int[]), (select ${changed}::int8[])) as known (partition, changed)
      cross join lateral (
        select from search.block
        where block.partition = known.partition and block.changed > known.changed limit 1
      ) as one
    )
  )::text as index_state
  from search.checkpoint`;

interface Partition {
  readonly id: number;
  readonly kind: EntryKind;
  readonly space: string | null;
  /** The number of its entries when it was found. */
  readonly size: number;
}

/** The partitions of a caller. */
interface Readable {
  /** The oid of the tables in which they are. */
  readonly table: string | undefined;
  readonly partitions: readonly Partition[];
  /** The largest id of a partition in the index at that time; -1 without one. */
  readonly last: number;
}

/** The maximum size of what is remembered of callers, and the approximate size of one partition there. */
const MAX_REMEMBERED_BYTES = 32 * 1024 * 1024;
const PARTITION_BYTES = 80;
/**
 * How many partitions one statement reads. A caller who may read the partitions of all owners reads them in turn, so
 * that neither their rows nor the parameters of the statement take long or much memory.
 */
const READ_AT_ONCE = 1_000;
/** How many blocks of one partition are read at once, so that those of a large one do not fill the memory. */
const BLOCKS_AT_ONCE = 64;
const LARGE = BLOCKS_AT_ONCE * BLOCK_SIZE;
const NO_BLOCKS: readonly PostingBlock[] = [];
const NO_CONTAINERS: ReadonlySet<number> = new Set();
const NO_LABELS: ReadonlyMap<string, number> = new Map();

const keyOf = ({ kinds, scopes }: Pick<Wanted, 'kinds' | 'scopes'>): string =>
  JSON.stringify([kinds, scopes]);

/** True for the row of a partition whose entries were erased; it is found no more. */
const isErased = ({ what, block }: Row): boolean => what === 'partition' && block === 0;

/** Reads the index, and keeps what never changes in memory: the blocks of entries, and postings that are full. */
export class IndexRead {
  private cache = new PartitionCache();
  /** The partitions that were found last for the same kinds and scopes. */
  private readonly readable = new LruMap<string, Readable>({
    maxBytes: MAX_REMEMBERED_BYTES,
    bytesOf: ({ partitions }, key) => stringBytes(key) + PARTITION_BYTES * partitions.length,
  });
  /** The position of the last read of these tables. */
  private position: bigint | undefined;
  private readonly loads = new Turns();

  /** @param version the version of the tables that this program reads */
  constructor(
    private readonly postgres: Postgres,
    private readonly version: number,
  ) {}

  /** Returns what earlier reads found, if that is all that is wanted. It may be out of date (`freshPosition`). */
  remembered({ kinds, scopes, terms, labels, containers }: Wanted): RememberedIndex | undefined {
    if (containers !== undefined) return undefined;
    const known = this.readable.get(keyOf({ kinds, scopes }));
    if (known === undefined || known.table !== this.cache.table) return undefined;
    if (known.partitions.length > READ_AT_ONCE) return undefined;
    const partitions: FoundPartition[] = [];
    for (const partition of known.partitions) {
      const entries = this.cache.known(partition.id);
      const codes = entries?.codesOf(labels);
      if (entries === undefined || entries.count === 0 || codes === undefined) return undefined;
      const postings: Postings[] = [];
      for (const term of terms) {
        const kept = entries.postings.keptOf(term);
        if (kept?.entries !== entries.count) return undefined;
        postings.push(kept);
      }
      partitions.push({
        ...partition,
        entries,
        postings,
        labels: codes,
        containers: NO_CONTAINERS,
      });
    }
    return {
      ...{ position: this.position, table: this.cache.table, last: known.last, partitions },
      changed: partitions.map(({ entries }) => entries.changed),
    };
  }

  /**
   * Returns the position up to which the index shows the log, if a read would find what is remembered; undefined if not.
   * @param state the `index_state` of a row
   */
  freshPosition({ table, last, position }: RememberedIndex, state: string): bigint | undefined {
    const now = JSON.parse(state) as IndexState;
    const isFresh =
      now.version === this.version &&
      now.table === table &&
      (now.last ?? -1) === last &&
      !now.isChanged;
    return isFresh ? laterOf(position, positionOf(now.position)) : undefined;
  }

  async find(wanted: Wanted): Promise<FoundIndex> {
    const key = keyOf(wanted);
    let known = this.readable.get(key) ?? (await this.resolve(key, wanted));
    for (;;) {
      const found = await this.readAll(known, wanted);
      if (found !== undefined) return found;
      known = await this.resolve(key, wanted);
    }
  }

  /**
   * Keeps partitions of the last read, with what the ranking added to them.
   * @param table the oid of the tables in which they are
   */
  *keep(partitions: readonly FoundPartition[], table: string | undefined): Slices<void> {
    for (const { id, entries } of partitions) {
      if (table === this.cache.table) this.cache.keep(id, entries);
      yield;
    }
  }

  /**
   * Reads the partitions, and returns them as they were at the position of the earliest read. Returns undefined if they
   * are not those of the index any more. A partition that is new since the first read has nothing at that position.
   */
  private async readAll(known: Readable, wanted: Wanted): Promise<FoundIndex | undefined> {
    if (this.cache.table === undefined) this.cache = new PartitionCache(known.table);
    const { cache } = this;
    const partitions: FoundPartition[] = [];
    let position: bigint | undefined;
    const isKept = known.partitions.length <= READ_AT_ONCE;
    for (let first = 0; first === 0 || first < known.partitions.length; first += READ_AT_ONCE) {
      const some = known.partitions.slice(first, first + READ_AT_ONCE);
      const rows = await this.readSome(some, wanted, cache);
      if (rows.table !== cache.table && rows.table !== this.cache.table) {
        this.cache = new PartitionCache(rows.table);
        this.position = undefined;
      }
      if (rows.table !== cache.table || rows.table !== known.table) return undefined;
      if (first === 0 && rows.last !== known.last) return undefined;
      if (rows.rows.some(isErased)) return undefined;
      if (first === 0) position = rows.position;
      partitions.push(...(await inSlices(take(rows, wanted.labels, isKept))));
      // The first label of a partition may have arrived with its block.
      if (wanted.labels.length > 0 && rows.reads.some((read) => read.hasNewLabels))
        return this.readAll(known, wanted);
    }
    this.position = laterOf(this.position, position);
    return { position, table: cache.table, partitions };
  }

  private async readSome(
    partitions: readonly Partition[],
    wanted: Wanted,
    cache: PartitionCache,
  ): Promise<SomeRead> {
    const reads: PartitionRead[] = [];
    for (const partition of partitions) {
      const isUnread = partition.size > LARGE && cache.known(partition.id) === undefined;
      const entries = isUnread ? await this.load(partition.id, cache) : cache.use(partition.id);
      reads.push(new PartitionRead(partition, entries, wanted.terms));
    }
    const rows = await this.read(reads, wanted);
    const [index] = rows.filter(({ what }) => what === 'index');
    if (index?.block !== this.version)
      throw new PostgresUnavailable('the search index of another version is being replaced');
    return {
      ...{ reads, rows, table: index.name ?? undefined, last: index.partition ?? -1 },
      position: positionOf(index.changed ?? null),
    };
  }

  /** Reads a large partition in several statements. The next read brings what changes meanwhile. */
  private load(partition: number, cache: PartitionCache): Promise<PartitionEntries> {
    return this.loads.run(`${partition}`, async () => {
      const known = cache.known(partition);
      if (known !== undefined) return known;
      const entries = new PartitionEntries();
      const [last] = await this.postgres.query<{ changed: string | null }>(LAST_CHANGE, [
        partition,
      ]);
      for (let first = 0, count = BLOCKS_AT_ONCE; count === BLOCKS_AT_ONCE; first += count) {
        const rows = await this.postgres.query<BlockRow & { readonly changed: string }>(BLOCKS, [
          ...[partition, first, first + BLOCKS_AT_ONCE],
        ]);
        for (const row of rows) entries.put({ ...row, changed: Number(row.changed) });
        count = rows.length;
      }
      entries.changed = Number(last?.changed ?? -1);
      cache.keep(partition, entries);
      return entries;
    });
  }

  private read(
    reads: readonly PartitionRead[],
    { terms, labels, containers }: Wanted,
  ): Promise<Row[]> {
    const ids = reads.map(({ id }) => id);
    const values = [
      ids,
      reads.map(({ entries }) => entries.changed),
      reads.flatMap(({ id }) => terms.map(() => id)),
      reads.flatMap(() => terms),
      reads.flatMap(({ kept }) => kept.map((postings) => postings?.next ?? 0)),
    ];
    const labelled = labels.length === 0 ? [] : reads.filter(({ mayHaveLabels }) => mayHaveLabels);
    if (labelled.length === 0 && containers === undefined)
      return this.postgres.query<Row>(READ, values);
    const { names = null, prefixes = [], session = null } = containers ?? {};
    return this.postgres.query<Row>(READ_WITH_NAMES, [
      ...values,
      ...[labelled.map(({ id }) => id), labels, containers === undefined ? [] : ids],
      ...[names, prefixes, session],
    ]);
  }

  /** Reads which partitions a caller may read. */
  private async resolve(key: string, { kinds, scopes }: Wanted): Promise<Readable> {
    const rows = await this.postgres.query<PartitionRow>(PARTITIONS, [
      kinds,
      scopes.exact,
      scopes.prefixes,
    ]);
    const state = rows.find(({ kind }) => kind === null);
    const readable = {
      table: state?.space ?? undefined,
      partitions: await inSlices(partitionsOf(rows)),
      last: state?.id ?? -1,
    };
    this.readable.set(key, readable);
    return readable;
  }
}

/** A row of `PARTITIONS`; without a kind, that of the index. */
interface PartitionRow {
  readonly id: number;
  readonly kind: EntryKind | null;
  readonly space: string | null;
  readonly entries: number;
}

function* partitionsOf(rows: readonly PartitionRow[]): Slices<Partition[]> {
  const partitions: Partition[] = [];
  for (const { id, kind, space, entries: size } of rows) {
    if (kind !== null) partitions.push({ id, kind, space: space === '' ? null : space, size });
    yield;
  }
  return partitions;
}

/** What one statement read. */
interface SomeRead {
  readonly reads: readonly PartitionRead[];
  readonly rows: readonly Row[];
  readonly table: string | undefined;
  /** The largest id of a partition in the index; -1 without one. */
  readonly last: number;
  readonly position: bigint | undefined;
}

/** Gives each partition its rows. */
function* take(
  { reads, rows }: SomeRead,
  labels: readonly string[],
  isKept: boolean,
): Slices<FoundPartition[]> {
  const readOf = new Map(reads.map((read) => [read.id, read]));
  for (const { partition, block, ...row } of rows) {
    if (partition !== null && block !== null) readOf.get(partition)?.take({ ...row, block });
    yield;
  }
  const found: FoundPartition[] = [];
  for (const read of reads) {
    found.push(read.found(labels, isKept));
    yield;
  }
  return found;
}

/** What one read needs of a partition, and what it found. */
class PartitionRead {
  readonly id: number;
  readonly kept: readonly (KeptPostings | undefined)[];
  /** True if the read asks for the codes of labels. */
  readonly mayHaveLabels: boolean;
  private labels: Map<string, number> | undefined;
  private containers: Set<number> | undefined;
  private blocks: Map<string, PostingBlock[]> | undefined;
  /** The number of entries at the time of the read. */
  private count = 0;

  constructor(
    private readonly partition: Partition,
    readonly entries: PartitionEntries,
    private readonly terms: readonly string[],
  ) {
    this.id = partition.id;
    this.kept = terms.map((term) => entries.postings.keptOf(term));
    this.mayHaveLabels = entries.mayHaveLabels;
  }

  get hasNewLabels(): boolean {
    return this.entries.mayHaveLabels && !this.mayHaveLabels;
  }

  take({ what, name, block, data, deaths, changed }: TakenRow): void {
    switch (what) {
      case 'partition':
        this.count = block;
        break;
      case 'block':
        this.entries.put({ block, data: data!, deaths: deaths!, changed: Number(changed) });
        break;
      case 'posting': {
        const all = (this.blocks ??= new Map<string, PostingBlock[]>());
        const blocks = all.get(name!) ?? [];
        blocks.push({ block, data: data! });
        all.set(name!, blocks);
        break;
      }
      case 'label':
        (this.labels ??= new Map()).set(name!, block);
        break;
      case 'container':
        (this.containers ??= new Set()).add(block);
        break;
      case 'index':
        break;
    }
  }

  /** @param isKept true if the partition keeps the postings and the codes of labels */
  found(wantedLabels: readonly string[], isKept: boolean): FoundPartition {
    const { partition, entries, count } = this;
    const { labels = NO_LABELS, containers = NO_CONTAINERS } = this;
    const postings = this.terms.map((term, index) => {
      const blocks = this.blocks?.get(term) ?? NO_BLOCKS;
      return entries.postings.of(term, this.kept[index], blocks, count, isKept);
    });
    if (isKept && this.mayHaveLabels) entries.rememberLabels(wantedLabels, labels, count);
    // An object that begins with a copy of another takes more memory.
    const { id, kind, space } = partition;
    return { id, kind, space, entries, postings, labels, containers };
  }
}

type TakenRow = Omit<Row, 'partition' | 'block'> & { readonly block: number };
