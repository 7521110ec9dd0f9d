import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { fewAtOnce } from '#bounded/few-at-once.js';
import type { Held } from '#domain/held.js';
import type { Json, JsonObject } from '#domain/json.js';
import { filterOf } from '#domain/note/filter.js';
import { MAX_COMPONENTS } from '#domain/note/limits.js';
import { isBelow } from '#domain/note/namespaces.js';
import { namedParts } from '#domain/note/name.js';
import { type NoteBatch, NoteQueries, type OwnedNotes } from '#projections/notes/queries.js';
import { heldIn, type NoteRow, partIn } from '#projections/notes/notes.projection.js';
import { cursorOf, isTexts, placeOf } from '../platform/http/cursor.js';
import { AnyObject, Text, TextList, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { readersOf } from '../platform/auth/roles.js';
import { NoteAccess } from './note-access.js';
import { COMPONENTS, CURSOR, NoteOwner } from './note-fields.js';
import { NotesPageDto } from './note-view.js';
import { ShownNotes } from './shown-notes.js';

const DEFAULT_PAGE = 100;
/** The most rows that one statement reads, and that one request looks through. */
const BATCH = 200;
const MAX_SCANNED = 10_000;
/** A page ends early once the values that it returns or looks through have so many characters. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;

@Describes({
  summary: 'Notes below a namespace, with a filter by fields',
  roles: readersOf('note'),
  example: { prefix: ['trips'], limit: 20 },
  answers: [200, NotesPageDto],
  reads: ['notes'],
})
export class ListNotes extends ReadRequest<NotesPageDto> {
  @NoteOwner() owner?: string;

  @TextList({
    ...COMPONENTS,
    optional: true,
    description: 'Only notes whose namespace begins with these components. Default: all.',
  })
  prefix?: string[];

  @Whole({
    optional: true,
    min: 0,
    max: MAX_COMPONENTS,
    description: 'The most components that a namespace may have beyond the prefix. Default: any.',
  })
  depth?: number;

  @AnyObject({
    optional: true,
    description:
      'JSON Pointer into the value → conditions, such as `{"/color": {"eq": "red"}}`; one of eq, ne, gt, gte, lt, lte.',
  })
  filter?: JsonObject;

  @Whole({ optional: true, min: 1, max: 1_000, description: 'The notes in a page; default: 100.' })
  limit?: number;

  @Text(CURSOR) cursor?: string;
}

interface Scan {
  readonly of: OwnedNotes;
  readonly prefix: readonly string[];
  readonly maxLength: number;
  readonly mayOpen: boolean;
  readonly matches: ((held: Held) => boolean) | undefined;
  readonly batch: number;
}

/** A place in the list: a note with a namespace in clear, or the stream of one with a sealed namespace. */
type Place =
  | { readonly namespace: readonly string[]; readonly key: string; readonly stream: string }
  | { readonly sealed: string };

/**
 * Lists notes below a prefix (SPEC N3). Those with a sealed namespace come last, in the order of their streams: their
 * namespaces must be opened to compare them, and a cursor must not contain them.
 */
@QueryHandler(ListNotes)
export class ListNotesHandler implements IQueryHandler<ListNotes> {
  constructor(
    private readonly notes: NoteQueries,
    private readonly access: NoteAccess,
    private readonly shown: ShownNotes,
  ) {}

  async execute(asked: ListNotes): Promise<NotesPageDto> {
    const { actor, prefix = [], depth = MAX_COMPONENTS, filter = {}, limit = DEFAULT_PAGE } = asked;
    const owner = this.access.readOwner(actor, asked.owner);
    const mayOpen = this.access.isOwn(actor, owner);
    const isFiltered = Object.keys(filter).length > 0;
    const scan = {
      of: { owner, at: new Date().toISOString() },
      prefix: namedParts(prefix),
      maxLength: prefix.length + depth,
      mayOpen,
      matches: isFiltered ? filterOf(filter) : undefined,
      batch: isFiltered ? BATCH : Math.min(limit + 1, BATCH),
    };
    const from = asked.cursor === undefined ? undefined : placeOf(asked.cursor, isPlace);
    const { rows, next } = await this.page(scan, from, limit);
    return {
      notes: await fewAtOnce(rows, (row) => this.shown.row(row, mayOpen)),
      next_cursor: next === undefined ? null : cursorOf(next),
    };
  }

  /** Returns the first rows after a place, and the place after which the next page begins; undefined at the end. */
  private async page(scan: Scan, from: Place | undefined, limit: number) {
    const rows: NoteRow[] = [];
    let characters = 0;
    let place = from;
    for (let scanned = 0; scanned < MAX_SCANNED;) {
      const batch = await this.batchAfter(place, scan);
      for (const row of batch.rows) {
        if (characters > PAGE_CHARACTERS) return { rows, next: place };
        if (await this.isListed(row, scan)) {
          if (rows.length === limit) return { rows, next: place };
          rows.push(row);
        }
        characters += row.held?.length ?? 0;
        place = placeOfRow(row);
      }
      if (!batch.isFull) return { rows, next: undefined };
      scanned += batch.rows.length;
    }
    return { rows, next: place };
  }

  private async batchAfter(place: Place | undefined, scan: Scan): Promise<NoteBatch> {
    const { of, prefix, maxLength, batch } = scan;
    if (place !== undefined && 'sealed' in place)
      return this.notes.listSealed(of, place.sealed, batch);
    const clear = await this.notes.list({ of, prefix, maxLength, after: place, limit: batch });
    if (clear.isFull) return clear;
    const sealed = await this.notes.listSealed(of, '', batch - clear.rows.length);
    return { rows: [...clear.rows, ...sealed.rows], isFull: sealed.isFull };
  }

  private async isListed(row: NoteRow, scan: Scan): Promise<boolean> {
    if (scan.matches?.(heldIn(row)) === false) return false;
    if (row.sealed_namespace === null) return true;
    const held = partIn(null, row.sealed_namespace);
    const namespace = await this.shown.namespace(held, scan.mayOpen);
    if (namespace === undefined) return scan.prefix.length === 0;
    return isBelow(namespace, scan.prefix) && namespace.length <= scan.maxLength;
  }
}

const placeOfRow = ({ namespace, key, stream }: NoteRow): Place =>
  namespace === null ? { sealed: stream } : { namespace, key: key ?? '', stream };

function isPlace(value: Json): value is Place {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { sealed, namespace, key, stream } = value as JsonObject;
  return (
    isTexts([sealed ?? null]) || (isTexts(namespace) && isTexts([key ?? null, stream ?? null]))
  );
}
