import { bodyOf, requireArguments } from './arguments.js';
import { existing } from './existing.js';
import type { ReplayReport } from './jobs.js';
import type { Json } from './json.js';
import { pagesOf } from './pages.js';
import type { QueryOf, Schemas } from './schemas.js';
import {
  type AccessOptions,
  GET_OPTIONS,
  type OwnOptions,
  type ReadOptions,
  requireCallOptions,
  type Transport,
  type WriteOptions,
} from './transport.js';

/** A document that an agent keeps for itself, under a namespace and a key. */
export type Note = Schemas['NoteDto'];

/** What a put of a note may depend on, and how long the note lives. */
export type PutNoteOptions = WriteOptions & {
  /** The version that the note must have; 0 if it must not exist. Fails with VERSION_CONFLICT otherwise. */
  readonly ifVersion?: number | undefined;
  /** The note expires so many seconds after the put. The default is never. */
  readonly ttlSeconds?: number | undefined;
};

/** What a deletion of a note may depend on. */
type DeleteNoteOptions = WriteOptions & Pick<PutNoteOptions, 'ifVersion'>;

/** Which state of a note a read by its stream returns. */
type NoteOfStream = Pick<QueryOf<'/v1/notes'>, 'version' | 'at' | 'unredacted'> &
  ReadOptions &
  AccessOptions;

/** Which notes a list has. */
export type NotesFilter = Schemas['ListNotes'];

export type NotesPage = Schemas['NotesPageDto'];

/** A note by its namespace and key, or by its stream; `owner` for those who may read everyone's notes. */
export type NoteName = QueryOf<'/v1/notes/bundle'>;

/** Which namespaces a list has. */
export type NamespacesFilter = Schemas['ListNamespaces'];

/** A page of the events of a note, oldest first. */
export type NoteHistory = Schemas['NoteHistoryPageDto'];

const NAME = { namespace: 'texts', key: 'text' } as const;
const DELETE_OPTIONS = { ifVersion: 'count?' } as const satisfies OwnOptions<DeleteNoteOptions>;
const PUT_OPTIONS = {
  ...DELETE_OPTIONS,
  ttlSeconds: 'seconds?',
} as const satisfies OwnOptions<PutNoteOptions>;
const STREAM_OPTIONS = {
  version: 'count?',
  at: 'moment?',
  ...GET_OPTIONS,
} as const satisfies OwnOptions<NoteOfStream>;

/**
 * The caller's notes. Namespaces compare by whole components. Names that differ only in their Unicode form (NFC, NFD)
 * are one name.
 */
export class Notes {
  constructor(private readonly transport: Transport) {}

  /** Writes a note as a whole: any JSON of at most 64 KB. */
  async put(
    namespace: readonly string[],
    key: string,
    value: Json,
    options: PutNoteOptions = {},
  ): Promise<Note> {
    requireArguments({ namespace, key, value }, { ...NAME, value: 'json' });
    requireCallOptions(options, PUT_OPTIONS);
    const { ifVersion, ttlSeconds, ...rest } = options;
    const body = { namespace, key, value, if_version: ifVersion, ttl_seconds: ttlSeconds };
    return this.transport.json({ method: 'PUT', path: '/v1/notes', body, options: rest });
  }

  /**
   * Reads a note, as it is now or as it was at a version. Returns undefined if it does not exist. `owner` names another
   * owner, for auditors, admins and the council.
   */
  async get(
    namespace: readonly string[],
    key: string,
    at: Omit<QueryOf<'/v1/notes'>, 'namespace' | 'key' | 'stream'> = {},
    options?: ReadOptions,
  ): Promise<Note | undefined> {
    requireArguments({ namespace, key }, NAME);
    return existing(
      this.transport.get(
        '/v1/notes',
        { namespace, key, ...bodyOf('at?', at, 'GET /v1/notes', ['namespace', 'key', 'stream']) },
        options,
      ),
    );
  }

  /** Reads a note by its stream, for those who may read everyone's notes. Returns undefined if it does not exist. */
  async ofStream(stream: string, options: NoteOfStream = {}): Promise<Note | undefined> {
    requireArguments({ stream }, { stream: 'noteStream' });
    requireCallOptions(options, STREAM_OPTIONS);
    const { version, at, unredacted, ...rest } = options;
    return existing(this.transport.get('/v1/notes', { stream, version, at, unredacted }, rest));
  }

  /** Deletes a note; its history stays. Returns the new version, or undefined if there is no note. */
  async delete(
    namespace: readonly string[],
    key: string,
    options: DeleteNoteOptions = {},
  ): Promise<Schemas['NoteDeletedDto'] | undefined> {
    requireArguments({ namespace, key }, NAME);
    requireCallOptions(options, DELETE_OPTIONS);
    const { ifVersion, ...rest } = options;
    const query = { namespace, key, if_version: ifVersion };
    const path = '/v1/notes';
    return existing(this.transport.json({ method: 'DELETE', path, query, options: rest }));
  }

  /** Returns one page of notes, in the order of namespace and key. */
  list(filter: NotesFilter = {}, options?: ReadOptions): Promise<NotesPage> {
    return this.#read('/v1/notes/list', bodyOf('filter?', filter, 'POST /v1/notes/list'), options);
  }

  /** Yields every note of a list, page by page. */
  async *all(
    filter: Omit<NotesFilter, 'cursor'> = {},
    options?: ReadOptions,
  ): AsyncGenerator<Schemas['NotesPageDto']['notes'][number]> {
    const pages = pagesOf((next) =>
      this.list(
        { ...bodyOf('filter?', filter, 'POST /v1/notes/list', ['cursor']), ...next },
        options,
      ),
    );
    for await (const { notes } of pages) yield* notes;
  }

  /** Returns one page of the namespaces that have notes. */
  namespaces(
    filter: NamespacesFilter = {},
    options?: ReadOptions,
  ): Promise<Schemas['NamespacesPageDto']> {
    return this.#read(
      '/v1/notes/namespaces',
      bodyOf('filter?', filter, 'POST /v1/notes/namespaces'),
      options,
    );
  }

  /** Returns one page of the events of a note, also of one that was deleted. Undefined if there never was one. */
  history(
    note: Schemas['ReadNoteHistory'],
    options?: ReadOptions,
  ): Promise<NoteHistory | undefined> {
    return existing(
      this.#read<NoteHistory>(
        '/v1/notes/history',
        bodyOf('note', note, 'POST /v1/notes/history'),
        options,
      ),
    );
  }

  /**
   * Yields the note's bundle, which `mace verify` checks offline: the signed header line, then one line for each event,
   * without line feeds. Fails with NOT_FOUND if there never was such a note.
   */
  bundle(note: NoteName, options?: ReadOptions): AsyncGenerator<string> {
    return this.transport.lines(
      '/v1/notes/bundle',
      { ...bodyOf('note', note, 'GET /v1/notes/bundle') },
      options,
    );
  }

  /**
   * Replays the note and compares every event. With `audit` the report lists differences; with `strict` the call fails
   * at the first one with REPLAY_DIVERGENCE or INTEGRITY_FAILURE.
   */
  replay(
    note: NoteName,
    mode: ReplayReport['mode'] = 'audit',
    options?: ReadOptions,
  ): Promise<ReplayReport> {
    return this.#read(
      '/v1/notes/replays',
      { ...bodyOf('note', note, 'GET /v1/notes/bundle'), mode },
      options,
    );
  }

  #read<Answer>(path: string, body: object, options: ReadOptions | undefined): Promise<Answer> {
    return this.transport.ask(path, body, options);
  }
}
