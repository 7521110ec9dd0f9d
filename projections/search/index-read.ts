import type { SearchKind } from '#domain/search/kinds.js';
import type { ReadableScopes } from '#domain/search/scopes.js';
import type { NamedQuery, Postgres } from '#read-model/postgres.js';
import { PartitionCache } from './partition-cache.js';
import type { PartitionEntries } from './partition-entries.js';

// One statement makes the read consistent: every entry of a posting is in a block that is read or known. The lateral
// joins keep the plan on the primary keys, however the tables grow.
const READ: NamedQuery = {
  name: 'search_index',
  text: `
    with readable as materialized (
      select id, kind, space from search.partition where scope = any($2::text[]) and kind = any($1::text[])
      union all
      select id, kind, space from unnest($3::text[]) as prefix
      join search.partition on scope >= prefix and scope < prefix || U&'\\+10FFFF'
      where kind = any($1::text[])
    )
    select 'table' as what, 'search.block'::regclass::oid::int8 as partition, null as name, null::int as block,
      null::bytea as data, null::bytea as deaths, position as changed
    from search.checkpoint
    union all
    select 'partition', id, kind || ' ' || space, null, null, null, null from readable
    union all
    select 'posting', id, term, one.block, one.data, null, null
    from readable cross join unnest($4::text[]) as term cross join lateral (
      select block, data from search.posting
      where posting.partition = readable.id and posting.term = term.term
    ) as one
    union all
    select 'block', id, null, one.block, one.data, one.deaths, one.changed
    from readable left join unnest($5::int[], $6::int8[]) as known (partition, changed) on known.partition = id
    cross join lateral (
      select block, data, deaths, changed from search.block
      where block.partition = readable.id and block.changed > coalesce(known.changed, -1)
    ) as one
    union all
    select 'label', id, label.name, label.code, null, null, null
    from readable join search.label on label.partition = id and label.name = any($7::text[])
    union all
    select 'container', id, null, one.code, null, null, null
    from readable cross join lateral (
      select code from search.container
      where container.partition = readable.id and container.name = any($8::text[])
      and ($10::text is null or container.session_id = $10::text)
      union all
      select code from search.container
      where container.partition = readable.id and container.name ^@ any($9::text[])
      and ($10::text is null or container.session_id = $10::text)
      union all
      select code from search.container
      where container.partition = readable.id and $11::boolean and container.session_id = $10::text
    ) as one`,
};

interface Row {
  readonly what: 'table' | 'partition' | 'posting' | 'block' | 'label' | 'container';
  readonly partition: string;
  readonly name: string | null;
  readonly block: number | null;
  readonly data: Buffer | null;
  readonly deaths: Buffer | null;
  readonly changed: string | null;
}

/** A part of the index that a query needs. */
export interface Wanted {
  readonly kinds: readonly SearchKind[];
  readonly scopes: ReadableScopes;
  readonly terms: readonly string[];
  readonly labels: readonly string[];
  /** The containers that are wanted: by their names, by the beginnings of their names, and by their session. */
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
  readonly session: string | undefined;
}

/** One partition, with what a query needs of it. */
export interface FoundPartition {
  readonly id: number;
  readonly kind: SearchKind;
  readonly space: string | null;
  readonly entries: PartitionEntries;
  /** The blocks of each term's postings. */
  readonly postings: ReadonlyMap<string, readonly { block: number; data: Buffer }[]>;
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

const MAX_KNOWN = 1_000;

/** Reads the index, and keeps the blocks of entries in memory. */
export class IndexRead {
  private cache = new PartitionCache();
  /** The partitions that were found last for the same kinds and scopes. */
  private readonly known = new Map<string, readonly number[]>();

  constructor(private readonly postgres: Postgres) {}

  async find(wanted: Wanted): Promise<FoundIndex> {
    const { kinds, scopes, terms, labels, names, prefixes, session } = wanted;
    const key = JSON.stringify([kinds, scopes]);
    const known = (this.known.get(key) ?? []).filter((id) => this.cache.changeOf(id) !== undefined);
    const rows = await this.postgres.query<Row>(READ, [
      ...[kinds, scopes.exact, scopes.prefixes, terms],
      ...[known, known.map((id) => this.cache.changeOf(id)!)],
      ...[labels, names, prefixes, session ?? null, names.length + prefixes.length === 0],
    ]);
    const [table] = rows.filter(({ what }) => what === 'table');
    const oid = table === undefined ? undefined : Number(table.partition);
    if (oid !== this.cache.table) {
      this.cache = new PartitionCache(oid);
      if (known.length > 0) return this.find(wanted);
    }
    const partitions = this.take(rows);
    const ids = partitions.map(({ id }) => id);
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(key, ids);
    this.cache.trim(new Set(ids));
    const position = table?.changed ?? undefined;
    return { position: position === undefined ? undefined : BigInt(position), partitions };
  }

  private take(rows: readonly Row[]): FoundPartition[] {
    const partitions = new Map<number, MutablePartition>();
    for (const { what, partition, name } of rows) {
      if (what !== 'partition') continue;
      const [kind = '', space = ''] = (name ?? '').split(' ');
      const id = Number(partition);
      partitions.set(id, {
        id,
        kind: kind as SearchKind,
        space: space === '' ? null : space,
        entries: this.cache.use(id),
        postings: new Map(),
        labels: new Map(),
        containers: new Set(),
      });
    }
    for (const { what, partition, name, block, data, deaths, changed } of rows) {
      const id = Number(partition);
      const found = partitions.get(id);
      if (found === undefined || block === null) continue;
      if (what === 'block')
        this.cache.put(id, { block, data: data!, deaths: deaths!, changed: Number(changed) });
      else if (what === 'posting') {
        const blocks = found.postings.get(name!) ?? [];
        blocks.push({ block, data: data! });
        found.postings.set(name!, blocks);
      } else if (what === 'label') found.labels.set(name!, block);
      else if (what === 'container') found.containers.add(block);
    }
    return [...partitions.values()];
  }
}

interface MutablePartition extends FoundPartition {
  readonly postings: Map<string, { block: number; data: Buffer }[]>;
  readonly labels: Map<string, number>;
  readonly containers: Set<number>;
}
