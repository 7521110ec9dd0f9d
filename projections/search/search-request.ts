import type { EntryKind } from '#domain/search/kinds.js';
import type { RankingVersion } from '#domain/search/rankings.js';
import type { Explanation } from '#domain/search/scoring.js';
import type { ReadableScopes } from '#domain/search/scopes.js';
import type { WantedContainers } from './index-read.js';
import type { NoteName } from './tables.js';

export interface SearchRequest<Kind extends EntryKind = EntryKind> {
  readonly query: string;
  readonly ranking: RankingVersion;
  /** False if quotes and minus signs in the query have no meaning; by default true. */
  readonly operators?: boolean | undefined;
  /** The entries that count: those of these kinds in the scopes that the caller may read (SPEC Q3). */
  readonly kinds: readonly Kind[];
  readonly scopes: ReadableScopes;
  /** The position of the log at which the entries are searched; by default the one that the index shows. */
  readonly asOf: bigint | undefined;
  /** A position that the index is known to show; undefined if none is known. */
  readonly shown?: bigint | undefined;
  readonly limit: number;
  /** True if each hit says what its score is made of. */
  readonly explain?: boolean | undefined;
  /** The filters decide only which entries are hits. */
  readonly filter: SearchFilter;
}

export interface SearchFilter {
  readonly container?: string | undefined;
  /** The namespace of notes, or one above it (SPEC N1). */
  readonly namespace?: readonly string[] | undefined;
  readonly session?: string | undefined;
  readonly space?: string | undefined;
  /** Milliseconds since 1970, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Bounds of the clock when the source event was recorded, of the same form. */
  readonly recordedFrom?: number | undefined;
  readonly recordedTo?: number | undefined;
}

export interface SearchHit<Kind extends EntryKind = EntryKind> {
  readonly kind: Kind;
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly time: string;
  readonly shown_at: string;
  readonly source: {
    readonly stream: string;
    readonly number: number;
    readonly position: string;
    readonly hash: string;
  };
  readonly note?: NoteName;
  readonly explanation?: Explanation;
}

export interface SearchResult<Kind extends EntryKind = EntryKind> {
  readonly asOf: bigint;
  readonly hits: readonly SearchHit<Kind>[];
}

/** Returns the containers that a filter names. The name of a namespace is its JSON. */
export function containersOf({
  container,
  namespace,
  session,
}: SearchFilter): WantedContainers | undefined {
  if (container !== undefined) {
    // No note is in a job.
    return { names: namespace === undefined ? [container] : [], prefixes: [], session };
  }
  if (namespace !== undefined) {
    const name = JSON.stringify(namespace);
    const isRoot = namespace.length === 0;
    return { names: [name], prefixes: [isRoot ? '[' : `${name.slice(0, -1)},`], session };
  }
  return session === undefined ? undefined : { names: null, prefixes: [], session };
}
