import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { byteOrder } from '#domain/determinism/ids.js';
import { MAX_COMPONENTS } from '#domain/note/limits.js';
import { matchesNamespace } from '#domain/note/namespaces.js';
import { namedParts } from '#domain/note/name.js';
import { NoteQueries, type OwnedNotes } from '#projections/notes/queries.js';
import { partIn } from '#projections/notes/notes.projection.js';
import { cursorOf, isTexts, placeOf } from '../platform/http/cursor.js';
import { Text, TextList, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { readersOf } from '../platform/auth/roles.js';
import { NoteAccess } from './note-access.js';
import { COMPONENTS, CURSOR, NoteOwner } from './note-fields.js';
import { NamespacesPageDto } from './note-view.js';
import { ShownNotes } from './shown-notes.js';

const DEFAULT_PAGE = 100;
const BATCH = 1_000;

@Describes({
  summary: 'The namespaces that have notes',
  roles: readersOf('note'),
  answers: [200, NamespacesPageDto],
  reads: ['notes'],
})
export class ListNamespaces extends ReadRequest<NamespacesPageDto> {
  @NoteOwner() owner?: string;

  @TextList({
    ...COMPONENTS,
    optional: true,
    description: 'The first components; `*` stands for any one.',
  })
  prefix?: string[];

  @TextList({
    ...COMPONENTS,
    optional: true,
    description: 'The last components; `*` stands for any one.',
  })
  suffix?: string[];

  @Whole({
    optional: true,
    min: 1,
    max: MAX_COMPONENTS,
    description: 'Longer namespaces are cut to so many components. Default: they are not cut.',
  })
  max_depth?: number;

  @Whole({
    optional: true,
    min: 1,
    max: 1_000,
    description: 'The namespaces in a page; default: 100.',
  })
  limit?: number;

  @Text(CURSOR) cursor?: string;
}

/** Lists the namespaces in which an owner has notes (SPEC N3). Sealed ones are listed for the owner alone. */
@QueryHandler(ListNamespaces)
export class ListNamespacesHandler implements IQueryHandler<ListNamespaces> {
  constructor(
    private readonly notes: NoteQueries,
    private readonly access: NoteAccess,
    private readonly shown: ShownNotes,
  ) {}

  async execute(asked: ListNamespaces): Promise<NamespacesPageDto> {
    const { actor, max_depth = MAX_COMPONENTS, limit = DEFAULT_PAGE } = asked;
    const prefix = namedParts(asked.prefix ?? []);
    const suffix = namedParts(asked.suffix ?? []);
    const owner = this.access.readOwner(actor, asked.owner);
    const of = { owner, at: new Date().toISOString() };
    const after = asked.cursor === undefined ? undefined : placeOf(asked.cursor, isTexts);
    const clear = await this.notes.namespaces({
      ...of,
      ...{ prefix, suffix, maxDepth: max_depth, after, limit: limit + 1 },
    });
    const found = new Map(clear.map((namespace) => [JSON.stringify(namespace), namespace]));
    if (this.access.isOwn(actor, owner))
      for await (const namespace of this.sealedNamespaces(of)) {
        if (!matchesNamespace(namespace, prefix, suffix)) continue;
        const cut = namespace.slice(0, max_depth);
        if (after === undefined || inOrder(cut, after) > 0) found.set(JSON.stringify(cut), cut);
      }
    const sorted = [...found.values()].sort(inOrder);
    const page = sorted.slice(0, limit);
    const last = page.at(-1);
    return {
      namespaces: page,
      next_cursor: sorted.length > limit && last !== undefined ? cursorOf(last) : null,
    };
  }

  private async *sealedNamespaces(of: OwnedNotes): AsyncGenerator<readonly string[]> {
    for (let after = ''; ;) {
      const { rows, isFull } = await this.notes.listSealed(of, after, BATCH);
      for (const { sealed_namespace } of rows) {
        const namespace = await this.shown.namespace(partIn(null, sealed_namespace), true);
        if (namespace !== undefined) yield namespace;
      }
      const last = rows.at(-1);
      if (last === undefined || !isFull) return;
      after = last.stream;
    }
  }
}

/** Compares namespaces component by component, as Postgres does. */
function inOrder(left: readonly string[], right: readonly string[]): number {
  for (let place = 0; place < left.length && place < right.length; place += 1) {
    const order = byteOrder(left[place] as string, right[place] as string);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
