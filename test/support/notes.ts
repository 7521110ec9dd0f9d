import type { AskOptions, Caller } from './caller.js';

/** A note as the service answers it. */
export interface Note {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly value: unknown;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  readonly expires_at: string | null;
  readonly stream: string;
}

export interface NotesPage {
  readonly notes: readonly Note[];
  readonly next_cursor: string | null;
}

export interface History {
  readonly stream: string;
  readonly versions: readonly {
    readonly version: number;
    readonly type: string;
    readonly value?: unknown;
    readonly at: string;
    readonly actor: string;
    readonly hash: string;
  }[];
  readonly next_cursor: number | null;
}

/** The path that names a note, below /v1/. */
export const notePath = (
  namespace: readonly string[],
  key: string,
  more: Readonly<Record<string, string>> = {},
): string => {
  const query = new URLSearchParams([
    ...namespace.map((part): [string, string] => ['namespace', part]),
    ['key', key],
    ...Object.entries(more),
  ]);
  return `notes?${query.toString()}`;
};

/** Puts a note, and returns the service's answer. */
export const putNote = async (
  caller: Caller,
  namespace: readonly string[],
  key: string,
  value: unknown,
  more: object = {},
): Promise<Note> =>
  (await caller.did<Note>('PUT', 'notes', { body: { namespace, key, value, ...more } })).body;

/** Returns every note of a list, page by page. */
export async function allNotes(
  caller: Caller,
  asked: object = {},
  options: AskOptions = {},
): Promise<readonly Note[]> {
  const notes: Note[] = [];
  let cursor: string | null = null;
  do {
    const body = { ...asked, ...(cursor === null ? {} : { cursor }) };
    const page: NotesPage = await caller.post('notes/list', body, options);
    notes.push(...page.notes);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return notes;
}
