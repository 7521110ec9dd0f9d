import { Injectable } from '@nestjs/common';
import { WILDCARD } from '#domain/note/namespaces.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { NoteRow } from './notes.projection.js';

/** A statement returns no more notes after one with which their values have so many bytes. */
const BATCH_BYTES = 1024 * 1024;

const OF_OWNER = `is_current and md5(owner) = md5($1) and owner = $1
    and (expires_at is null or expires_at > $2)`;

// All namespaces below a prefix sort between the prefix and the prefix with U+0001 after its last component.
const LIST: NamedQuery = {
  name: 'notes_list',
  text: withinBatch(
    `select * from notes.note
    where ${OF_OWNER} and namespace is not null
      and ($3::text[] is null or (namespace >= $3 and namespace < $4))
      and cardinality(namespace) <= $5
      and ($6::text[] is null or (namespace, coalesce(key, ''), stream) > ($6, $7, $8))
    order by namespace, coalesce(key, ''), stream limit $9`,
    "namespace, coalesce(key, ''), stream",
  ),
};

const LIST_SEALED: NamedQuery = {
  name: 'notes_list_sealed',
  text: withinBatch(
    `select * from notes.note
    where ${OF_OWNER} and namespace is null and stream > $3
    order by stream limit $4`,
    'stream',
  ),
};

const DUE: NamedQuery = {
  name: 'notes_due',
  text: `select stream from notes.note
    where is_current and expires_at <= $1 order by expires_at limit $2`,
};

/** Returns SQL for those of the first rows of a list that one statement returns: they end with the row that makes them full. */
function withinBatch(rows: string, order: string): string {
  return `select * from (
      select *, sum(octet_length(held)) over (
        order by ${order} rows between unbounded preceding and 1 preceding
      ) as bytes_before
      from (${rows}) as listed
    ) as counted
    where coalesce(bytes_before, 0) < ${BATCH_BYTES} order by ${order}`;
}

/** Whose notes a list has, and when: notes that have expired by then are left out. */
export interface OwnedNotes {
  readonly owner: string;
  /** ISO 8601 UTC, as the events have it. */
  readonly at: string;
}

/**
 * One batch of a list of notes. If it has the most rows or bytes that one statement returns, more notes may follow.
 */
export interface NoteBatch {
  readonly rows: readonly NoteRow[];
  readonly isFull: boolean;
}

/** The place in a list after which a page begins. */
export interface NotePlace {
  readonly namespace: readonly string[];
  /** The key; empty if it is sealed. */
  readonly key: string;
  readonly stream: string;
}

export interface NamespacesQuery extends OwnedNotes {
  /** `*` stands for any component. */
  readonly prefix: readonly string[];
  readonly suffix: readonly string[];
  /** Longer namespaces are cut to so many components. */
  readonly maxDepth: number;
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/** Reads the current notes. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class NoteQueries {
  constructor(private readonly postgres: Postgres) {}

  /**
   * Returns notes below a prefix, in the order of namespace and key by their UTF-8 bytes; those with a sealed key are
   * the first of their namespace, and those with a sealed namespace are left out.
   */
  async list(query: {
    readonly of: OwnedNotes;
    readonly prefix: readonly string[];
    /** The most components that a namespace may have. */
    readonly maxLength: number;
    readonly after: NotePlace | undefined;
    readonly limit: number;
  }): Promise<NoteBatch> {
    const { of, prefix, maxLength, after, limit } = query;
    const last = prefix.at(-1);
    const range =
      last === undefined ? [null, null] : [prefix, [...prefix.slice(0, -1), `${last}\u0001`]];
    const place = [after?.namespace ?? null, after?.key ?? null, after?.stream ?? null];
    const values = [of.owner, of.at, ...range, maxLength, ...place, limit];
    return this.batch(LIST, values, limit);
  }

  /** Returns notes with a sealed namespace, in the order of their streams, after one of them. */
  async listSealed(of: OwnedNotes, after: string, limit: number): Promise<NoteBatch> {
    return this.batch(LIST_SEALED, [of.owner, of.at, after, limit], limit);
  }

  private async batch(
    query: string | NamedQuery,
    values: readonly unknown[],
    limit: number,
  ): Promise<NoteBatch> {
    const rows = await this.postgres.query<NoteRow>(query, values);
    const bytes = rows.reduce((sum, { held }) => sum + Buffer.byteLength(held ?? ''), 0);
    return { rows, isFull: rows.length === limit || bytes >= BATCH_BYTES };
  }

  /** Returns the namespaces that have notes, in byte order; those that are sealed are left out. */
  async namespaces(query: NamespacesQuery): Promise<(readonly string[])[]> {
    const { owner, at, prefix, suffix, maxDepth, limit } = query;
    const values: unknown[] = [owner, at, maxDepth, null, limit];
    const conditions = [
      ...placed(prefix, (place) => `namespace[${place + 1}]`, values),
      ...placed(
        suffix,
        (place) => `namespace[cardinality(namespace) - ${suffix.length - 1 - place}]`,
        values,
      ),
    ];
    const order = 'namespace[1:$3::int], stream';
    const text = withinBatch(
      `select distinct on (namespace[1:$3::int]) * from notes.note
       where ${OF_OWNER} and namespace is not null
         and cardinality(namespace) >= ${Math.max(prefix.length, suffix.length)}
         and ($4::text[] is null or namespace[1:$3::int] > $4)
         ${conditions.map((condition) => `and ${condition}`).join('\n')}
       order by ${order} limit $5`,
      order,
    );
    const found: (readonly string[])[] = [];
    let isFull = true;
    while (isFull && found.length < limit) {
      values[3] = found.at(-1) ?? query.after ?? null;
      values[4] = limit - found.length;
      const batch = await this.batch(text, values, limit - found.length);
      found.push(...batch.rows.map(({ namespace }) => namespace?.slice(0, maxDepth) ?? []));
      isFull = batch.isFull;
    }
    return found;
  }

  /** Returns the streams of notes whose time to live has passed, the longest ago first (SPEC N3). */
  due(at: string, limit: number): Promise<{ readonly stream: string }[]> {
    return this.postgres.query(DUE, [at, limit]);
  }
}

/** Returns SQL conditions for the components of a pattern, and adds their values. */
function placed(
  pattern: readonly string[],
  column: (place: number) => string,
  values: unknown[],
): string[] {
  return pattern.flatMap((wanted, place) =>
    wanted === WILDCARD ? [] : [`${column(place)} = $${values.push(wanted)}`],
  );
}
