import { analyse, type AnalysedText } from '#domain/search/analysis.js';
import type { Language } from '#domain/search/languages/language.js';
import { HAS_NUMBER, IS_QUESTION } from '#domain/search/scoring.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { hashOf } from '#read-model/checkpoint.js';
import type { ProjectionTransaction } from '#read-model/projection.js';
import {
  blockOf,
  encodeDeath,
  encodeEntry,
  encodePosting,
  IN_GROUP,
  placeOf,
} from './index-codec.js';
import type { NewEntry, SearchChanges } from './search-changes.js';
import { ENTRY, type EntryRow } from './tables.js';

const ADD_POSTINGS = `
  insert into posting
  select * from unnest($1::int[], $2::text[], $3::int[], $4::bytea[])
  on conflict (partition, term, block) do update set data = posting.data || excluded.data`;

const ADD_TO_BLOCKS = `
  insert into block
  select * from unnest($1::int[], $2::int[], $3::bytea[], $4::bytea[], $5::bigint[])
  on conflict (partition, block) do update set
    data = block.data || excluded.data,
    deaths = block.deaths || excluded.deaths,
    changed = excluded.changed`;

const SAVE_PARTITIONS = `
  insert into partition
  select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::int[])
  on conflict (id) do update set entries = excluded.entries`;

const ADD_CONTAINERS = `
  insert into container select * from unnest($1::int[], $2::text[], $3::int[], $4::text[])`;

/**
 * Deletes what the entries of these scopes say. Their partitions stay without entries, so that no other one gets their
 * ids. The first block stays without data and with the position of the erasure: so a process that has kept the
 * partition in memory sees the change.
 */
const ERASE = `
  with named as (select * from unnest($1::text[], $2::bigint[]) as named (scope, position)),
    erased as (
      update partition set entries = 0 from named where partition.scope = named.scope
      returning partition.id, named.position
    ),
    postings as (delete from posting using erased where posting.partition = erased.id),
    blocks as (delete from block using erased where block.partition = erased.id and block.block > 0),
    emptied as (
      insert into block select id, 0, ''::bytea, ''::bytea, position from erased
      on conflict (partition, block) do update set
        data = excluded.data, deaths = excluded.deaths, changed = excluded.changed
    ),
    labels as (delete from label using erased where label.partition = erased.id)
  delete from entry using erased where entry.partition = erased.id`;

const ADD_LABELS = 'insert into label select * from unnest($1::int[], $2::text[], $3::int[])';

interface Partition {
  readonly id: number;
  readonly kind: string;
  readonly space: string;
  readonly scope: string;
  entries: number;
}

interface Code {
  readonly partition: number;
  readonly name: string;
  readonly code: number;
}

interface Placed {
  readonly entry: NewEntry;
  readonly partition: Partition;
  readonly ordinal: number;
  readonly text: AnalysedText;
}

const nameOf = ({ kind, space, scope }: { kind: string; space: string | null; scope: string }) =>
  `${kind}\n${space ?? ''}\n${scope}`;

/** Writes the changes of a batch to the tables. */
export class IndexWriter {
  constructor(
    private readonly tx: ProjectionTransaction,
    private readonly language: Language,
  ) {}

  async write({ added, endings, erased }: SearchChanges): Promise<void> {
    const { placed, partitions } = await this.place(added);
    const containers = await this.codes('container', placed, ({ entry }) => entry.container?.name);
    const labels = await this.codes('label', placed, ({ text }) => text.label ?? undefined);
    const inserted = placed.map((one) => rowOf(one, endings.get(one.entry)));
    const ended = [...endings].filter((ending): ending is [EntryRow, LoggedEvent] =>
      isRow(ending[0]),
    );
    const deaths = [
      ...ended.map(([{ partition, ordinal }, event]) => ({ partition, ordinal, event })),
      ...placed.flatMap(({ entry, partition, ordinal }) => {
        const event = endings.get(entry);
        return event === undefined ? [] : [{ partition: partition.id, ordinal, event }];
      }),
    ].sort(inLogOrder);
    await Promise.all([
      this.savePartitions(partitions),
      this.saveCodes(containers.added, labels.added),
      ENTRY.insert(this.tx, inserted),
      ENTRY.replace(
        this.tx,
        ended.map(([row, event]) => ({ ...row, died: String(event.position) })),
      ),
      this.savePostings(placed),
      this.saveBlocks(placed, deaths, containers.codes, labels.codes),
    ]);
    if (erased.size > 0)
      await this.tx.query(ERASE, [
        [...erased.keys()],
        [...erased.values()].map(({ position }) => String(position)),
      ]);
  }

  private async place(
    entries: readonly NewEntry[],
  ): Promise<{ readonly placed: Placed[]; readonly partitions: readonly Partition[] }> {
    if (entries.length === 0) return { placed: [], partitions: [] };
    const wanted = new Map(entries.map((entry) => [nameOf(entry), entry]));
    const known = await this.tx.query<Partition>(
      `select partition.* from partition join unnest($1::text[], $2::text[], $3::text[])
       as wanted (kind, space, scope) using (kind, space, scope)`,
      [
        [...wanted.values()].map(({ kind }) => kind),
        [...wanted.values()].map(({ space }) => space ?? ''),
        [...wanted.values()].map(({ scope }) => scope),
      ],
    );
    const partitions = new Map(known.map((one) => [nameOf(one), one]));
    let next = partitions.size === wanted.size ? 0 : await this.nextPartition();
    const placed = entries.flatMap((entry) => {
      const { kind, scope, indexed } = entry;
      const partition = partitions.get(nameOf(entry)) ?? {
        ...{ id: next++, kind, scope, space: entry.space ?? '', entries: 0 },
      };
      partitions.set(nameOf(entry), partition);
      const ordinal = partition.entries;
      partition.entries += 1;
      if (indexed === null) return [];
      const text = analyse(entry.title, indexed, this.language);
      return [{ entry, partition, ordinal, text }];
    });
    return { placed, partitions: [...partitions.values()] };
  }

  private async nextPartition(): Promise<number> {
    const [last] = await this.tx.query<Partition>(
      'select * from partition order by id desc limit 1',
    );
    return last === undefined ? 0 : last.id + 1;
  }

  /** Returns the codes of the names that the entries have, and those of them that are new. */
  private async codes(
    table: 'container' | 'label',
    placed: readonly Placed[],
    nameIn: (one: Placed) => string | undefined,
  ) {
    const named = placed.flatMap((one) => {
      const name = nameIn(one);
      return name === undefined ? [] : [{ partition: one.partition.id, name, one }];
    });
    const codes = new Map<string, number>();
    const added: (Code & { readonly one: Placed })[] = [];
    if (named.length === 0) return { codes, added };
    const wanted = new Map(named.map((one) => [codeKey(one), one]));
    const known = await this.tx.query<Code>(
      `select ${table}.partition, name, code from ${table}
       join unnest($1::int[], $2::text[]) as wanted (partition, name) using (partition, name)`,
      [
        [...wanted.values()].map(({ partition }) => partition),
        [...wanted.values()].map(({ name }) => name),
      ],
    );
    for (const one of known) codes.set(codeKey(one), one.code);
    for (const { one, ...name } of named) {
      if (codes.has(codeKey(name))) continue;
      const code = one.ordinal + 1;
      codes.set(codeKey(name), code);
      added.push({ ...name, code, one });
    }
    return { codes, added };
  }

  private async savePartitions(rows: readonly Partition[]): Promise<void> {
    if (rows.length === 0) return;
    await this.tx.query(SAVE_PARTITIONS, [
      rows.map(({ id }) => id),
      rows.map(({ kind }) => kind),
      rows.map(({ space }) => space),
      rows.map(({ scope }) => scope),
      rows.map(({ entries }) => entries),
    ]);
  }

  private async saveCodes(
    containers: readonly (Code & { readonly one: Placed })[],
    labels: readonly Code[],
  ): Promise<void> {
    if (containers.length > 0)
      await this.tx.query(ADD_CONTAINERS, [
        ...columnsOf(containers),
        containers.map(({ one }) => one.entry.container?.session_id ?? null),
      ]);
    if (labels.length > 0) await this.tx.query(ADD_LABELS, columnsOf(labels));
  }

  private async savePostings(placed: readonly Placed[]): Promise<void> {
    const parts = new Map<
      string,
      { term: string; partition: number; block: number; data: Buffer[] }
    >();
    for (const { partition, ordinal, text } of placed) {
      const block = blockOf(ordinal);
      for (const [term, frequency] of text.frequencies) {
        const id = `${partition.id} ${block} ${term}`;
        const part = parts.get(id) ?? { term, partition: partition.id, block, data: [] };
        part.data.push(encodePosting(placeOf(ordinal), frequency));
        parts.set(id, part);
      }
    }
    if (parts.size === 0) return;
    const rows = [...parts.values()];
    await this.tx.query(ADD_POSTINGS, [
      rows.map(({ partition }) => partition),
      rows.map(({ term }) => term),
      rows.map(({ block }) => block),
      rows.map(({ data }) => Buffer.concat(data)),
    ]);
  }

  private async saveBlocks(
    placed: readonly Placed[],
    deaths: readonly Death[],
    containers: ReadonlyMap<string, number>,
    labels: ReadonlyMap<string, number>,
  ): Promise<void> {
    const blocks = new Map<string, BlockPart>();
    const partOf = (partition: number, ordinal: number, position: bigint): BlockPart => {
      const block = blockOf(ordinal);
      const id = `${partition} ${block}`;
      const part = blocks.get(id) ?? { partition, block, data: [], deaths: [], changed: position };
      if (position > part.changed) part.changed = position;
      blocks.set(id, part);
      return part;
    };
    for (const { entry, partition, ordinal, text } of placed) {
      const codeOf = (
        codes: ReadonlyMap<string, number>,
        name: string | null | undefined,
      ): number =>
        name === null || name === undefined
          ? 0
          : (codes.get(codeKey({ partition: partition.id, name })) ?? 0);
      const { position, metadata } = entry.event;
      partOf(partition.id, ordinal, position).data.push(
        encodeEntry({
          length: text.length,
          container: codeOf(containers, entry.container?.name),
          label: codeOf(labels, text.label),
          flags:
            (text.isQuestion ? IS_QUESTION : 0) |
            (text.hasNumber ? HAS_NUMBER : 0) |
            (entry.container?.isGroup === true ? IN_GROUP : 0),
          time: Date.parse(entry.time),
          appeared: Number(position),
          recorded: Date.parse(metadata.recorded_at),
        }),
      );
    }
    for (const { partition, ordinal, event } of deaths)
      partOf(partition, ordinal, event.position).deaths.push(
        encodeDeath(placeOf(ordinal), Number(event.position)),
      );
    if (blocks.size === 0) return;
    const rows = [...blocks.values()];
    await this.tx.query(ADD_TO_BLOCKS, [
      rows.map(({ partition }) => partition),
      rows.map(({ block }) => block),
      rows.map(({ data }) => Buffer.concat(data)),
      rows.map((row) => Buffer.concat(row.deaths)),
      rows.map(({ changed }) => String(changed)),
    ]);
  }
}

interface Death {
  readonly partition: number;
  readonly ordinal: number;
  readonly event: LoggedEvent;
}

/** Orders deaths so that every rebuild writes the same bytes. */
const inLogOrder = (left: Death, right: Death): number =>
  Number(left.event.position - right.event.position) || left.ordinal - right.ordinal;

interface BlockPart {
  readonly partition: number;
  readonly block: number;
  readonly data: Buffer[];
  readonly deaths: Buffer[];
  changed: bigint;
}

const isRow = (ended: EntryRow | NewEntry): ended is EntryRow => 'ordinal' in ended;

const codeKey = ({ partition, name }: { partition: number; name: string }): string =>
  `${partition} ${name}`;

const columnsOf = (codes: readonly Code[]) =>
  [
    codes.map(({ partition }) => partition),
    codes.map(({ name }) => name),
    codes.map(({ code }) => code),
  ] as const;

function rowOf({ entry, partition, ordinal }: Placed, ending: LoggedEvent | undefined): EntryRow {
  const { kind, scope, space, id, title, body, time, shown_at, container, note, event } = entry;
  return {
    partition: partition.id,
    ordinal,
    kind,
    scope,
    id,
    title,
    body,
    time,
    shown_at,
    space,
    note,
    container: container?.name ?? null,
    appeared: String(event.position),
    died: ending === undefined ? null : String(ending.position),
    stream: event.stream,
    source_number: event.number,
    source_hash: hashOf(event),
  };
}
