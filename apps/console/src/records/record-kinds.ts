import type { Json, MaceClient } from '#client/index.js';
import { reflectiveStream } from '#domain/stream-names.js';
import { given } from '../data/search-params';
import type { Moment } from '../moment/use-moment';

/** A record of a list. Its id opens its page, together with the owner. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** When it was written; missing if only its own time is known, which may follow from a seed. */
  readonly at?: string;
}

/** Whose records a read asks for; without an owner, the reader's own. */
export interface Asked extends Moment {
  readonly owner?: string;
}

interface Page {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

interface Call {
  readonly signal: AbortSignal;
}

/** One kind of record: what its pages say, and how the service gives it. */
export interface RecordKind {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  /** How the field is called that names whose records are shown, and what it takes; undefined if the list has those of all. */
  readonly owner?: readonly [label: string, form: string];
  /** Undefined for records whose id is their title. */
  readonly titleOf?: (id: string) => string;
  /** Undefined for records that are only found by their ids. */
  readonly list?: (
    mace: MaceClient,
    asked: Asked & { readonly cursor?: string },
    call: Call,
  ) => Promise<Page>;
  readonly get: (mace: MaceClient, id: string, asked: Asked, call: Call) => Promise<unknown>;
  readonly bundle: (mace: MaceClient, id: string, asked: Asked) => AsyncGenerator<string>;
}

const OWNER = ['Owner', 'user:ada or sub:agent-1'] as const;

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

type Place = readonly [thread: string, namespace: string, checkpoint: string];

/** A checkpoint has three names, which its id puts together. */
const placeOf = (id: string): Place => {
  try {
    const [thread = '', namespace = '', checkpoint = ''] = (JSON.parse(id) as Json[]).map(textOf);
    return [thread, namespace, checkpoint];
  } catch {
    return [id, '', ''];
  }
};

const titleOf = (place: Place): string => place.filter((part) => part !== '').join(' / ');

const memories: RecordKind = {
  path: 'memories',
  name: 'Memories',
  about: 'What agents remember about a person, until it is forgotten.',
  owner: ['Person', 'ada'],
  list: async (mace, { owner: user_id, ...asked }, call) => {
    const page = await mace.memories.list({ ...given({ user_id }), ...asked }, call);
    const rows = page.memories.map(({ id, text, tags, updated_at: at }) => ({
      ...{ id, title: id, at },
      text: tags.length === 0 ? text : `${text} (${tags.join(', ')})`,
    }));
    return { rows, next_cursor: page.next_cursor };
  },
  get: (mace, id, { owner: user_id, ...asked }, call) =>
    mace.memories.get(id, { ...given({ user_id }), ...asked }, call),
  bundle: (mace, _, { owner: user_id }) => mace.memories.bundle(given({ user_id })),
};

const notes: RecordKind = {
  path: 'notes',
  name: 'Notes',
  about: 'The documents that an agent keeps for itself, under a namespace and a key.',
  owner: OWNER,
  list: async (mace, { owner, cursor }, call) => {
    const page = await mace.notes.list(given({ owner, cursor }), call);
    const rows = page.notes.map(({ stream: id, namespace, key, value, updated_at: at }) => ({
      ...{ id, title: [...namespace, key].join(' / '), text: textOf(value), at },
    }));
    return { rows, next_cursor: page.next_cursor };
  },
  get: (mace, id, { at }, call) => mace.notes.ofStream(id, { ...given({ at }), ...call }),
  bundle: (mace, stream) => mace.notes.bundle({ stream }),
};

const logs: RecordKind = {
  path: 'logs',
  name: 'ReflectiveLogs',
  about: 'How each answer came about: the agents, the votes and the confidence.',
  list: async (mace, { cursor }, call) => {
    const page = await mace.reflectiveLogs.list(given({ cursor }), call);
    const rows = page.reflective_logs.map(({ log_id: id, query_id, final_answer }) => ({
      ...{ id, title: query_id },
      text: final_answer === null ? 'no answer' : textOf(final_answer),
    }));
    return { rows, next_cursor: page.next_cursor };
  },
  get: (mace, id, _, call) => mace.reflectiveLogs.get(id, call),
  bundle: (mace, id) => mace.streams.bundle(reflectiveStream(id)),
};

const conversations: RecordKind = {
  path: 'conversations',
  name: 'Conversations',
  about:
    'The lists of items that agents keep, such as the messages of a chat. Each is found by its id.',
  owner: OWNER,
  get: async (mace, id, asked, call) => {
    const found = await mace.conversation(id).items({ ...asked, last: 200 }, call);
    return found.version === 0 ? undefined : found;
  },
  bundle: (mace, id, { owner }) => mace.conversation(id).bundle(given({ owner })),
};

const threads: RecordKind = {
  path: 'threads',
  name: 'Threads',
  about: 'The checkpoints of the graphs of agents, the newest first.',
  owner: OWNER,
  titleOf: (id) => titleOf(placeOf(id)),
  list: async (mace, { owner, cursor }, call) => {
    const page = await mace.threads.list(given({ owner, cursor }), call);
    const rows = page.checkpoints.map(({ thread_id, namespace, checkpoint_id, metadata, at }) => {
      const place: Place = [thread_id, namespace, checkpoint_id];
      return { id: JSON.stringify(place), title: titleOf(place), text: textOf(metadata), at };
    });
    return { rows, next_cursor: page.next_cursor };
  },
  get: (mace, id, asked, call) => {
    const [thread_id, namespace, checkpoint_id] = placeOf(id);
    return mace.threads.get({ thread_id, namespace, checkpoint_id, ...asked }, call);
  },
  bundle: (mace, id, { owner }) => {
    const [thread_id, namespace] = placeOf(id);
    return mace.threads.bundle({ thread_id, namespace, ...given({ owner }) });
  },
};

/** The kinds, in the order of their navigation. */
export const RECORD_KINDS: readonly RecordKind[] = [memories, notes, logs, conversations, threads];
