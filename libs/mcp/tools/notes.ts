import { z } from 'zod';
import type { Note } from '#client/notes.js';
import { requestFields } from '../request-fields.js';
import {
  input,
  json,
  lines,
  output,
  READS,
  REPLACES,
  type Role,
  shown,
  tool,
  whole,
} from '../tool.js';

const OWNERS: readonly Role[] = ['agent', 'user'];
const READERS: readonly Role[] = ['agent', 'user', 'council', 'admin', 'auditor'];

const NAMESPACE =
  'The folder of the note, from the outermost part on, such as ["projects", "apollo"].';
const NAME = { namespace: NAMESPACE, key: 'The name of the note in its namespace.' };
const IF_VERSION =
  'The version that the note must have, or 0 if it must not exist. Otherwise the call fails.';
const OWNER =
  'Whose note: user:<id> or sub:<sub>. Only auditors, admins and the council may name another owner.';

const noteFields = {
  namespace: z.array(z.string()),
  key: z.string(),
  value: json,
  version: whole,
  updated_at: z.string(),
  expires_at: z.string().nullable(),
};

const noteShown = (note: Note) => ({
  namespace: [...note.namespace],
  key: note.key,
  value: note.value,
  version: note.version,
  updated_at: note.updated_at,
  expires_at: note.expires_at,
});

const pathOf = (note: { readonly namespace: readonly string[]; readonly key: string }): string =>
  [...note.namespace, note.key].map((part) => shown(part)).join(' / ');

const writeNote = tool({
  name: 'write_note',
  title: 'Write a note',
  description:
    'Writes a note of your own, which stays until you delete it or its time to live ends: what you want to know in later tasks. It replaces the ' +
    'note under this key as a whole; read it first if you want to keep parts. Nobody has to approve it.',
  routes: ['PUT /v1/notes'],
  roles: OWNERS,
  annotations: REPLACES,
  input: () =>
    requestFields('PUT /v1/notes', {
      ...NAME,
      value: 'Any JSON value of at most 64 KB, such as a text.',
      if_version: IF_VERSION,
      ttl_seconds: 'The note expires after so many seconds; default: never.',
    }).pick({ namespace: true, key: true, value: true, if_version: true, ttl_seconds: true }),
  output: output({ namespace: z.array(z.string()), key: z.string(), version: whole }),
  call: async (client, { namespace, key, value, if_version, ttl_seconds }) => {
    const options = { ifVersion: if_version, ttlSeconds: ttl_seconds };
    const { version } = await client.notes.put(namespace, key, value, options);
    return { namespace: [...namespace], key, version };
  },
  text: (note) => `Wrote the note ${pathOf(note)}, version ${note.version}.`,
});

const readNote = tool({
  name: 'read_note',
  title: 'Read a note',
  description:
    'Reads one of your notes by its namespace and key, now or as it was at an earlier version.',
  routes: ['GET /v1/notes'],
  roles: READERS,
  annotations: READS,
  input: () => {
    const { namespace, key, ...at } = requestFields('GET /v1/notes', {
      ...NAME,
      version: 'Reads the note as it was at this version.',
      owner: OWNER,
    }).shape;
    return input({ namespace: namespace.unwrap(), key: key.unwrap(), ...at });
  },
  output: output({ exists: z.boolean(), ...z.object(noteFields).partial().shape }),
  call: async (client, { namespace, key, ...at }) => {
    const note = await client.notes.get(namespace, key, at);
    return note === undefined ? { exists: false } : { exists: true, ...noteShown(note) };
  },
  text: ({ exists, value, version, updated_at }) =>
    exists
      ? `${shown(value)}\n(version ${version}, updated ${updated_at})`
      : 'There is no such note.',
});

const listNotes = tool({
  name: 'list_notes',
  title: 'List notes',
  description:
    'Lists your notes in a namespace and below it. To find notes by their words, call search with kinds ["note"].',
  routes: ['POST /v1/notes/list'],
  roles: READERS,
  annotations: READS,
  input: () => {
    const { prefix, ...page } = requestFields('POST /v1/notes/list', {
      prefix: [NAMESPACE, []],
      limit: ['How many to return.', 50],
      cursor: 'next_cursor of the page before.',
      owner: OWNER,
    }).shape;
    return input({ namespace: prefix, ...page });
  },
  output: output({
    notes: z.array(output(noteFields)),
    next_cursor: z.string().nullable().describe('Null on the last page.'),
  }),
  call: async (client, { namespace: prefix, ...asked }) => {
    const page = await client.notes.list({ prefix, ...asked });
    return { notes: page.notes.map(noteShown), next_cursor: page.next_cursor };
  },
  text: ({ notes, next_cursor }) =>
    lines(
      [
        ...notes.map((note) => `${pathOf(note)} = ${shown(note.value)} (version ${note.version})`),
        ...(next_cursor === null ? [] : [`More: cursor ${next_cursor}`]),
      ],
      'There is no note here.',
    ),
});

const deleteNote = tool({
  name: 'delete_note',
  title: 'Delete a note',
  description:
    'Deletes one of your notes. Its history stays in the log, but no search or list shows it any more.',
  routes: ['DELETE /v1/notes'],
  roles: OWNERS,
  annotations: REPLACES,
  input: () =>
    requestFields('DELETE /v1/notes', { ...NAME, if_version: IF_VERSION }).omit({ owner: true }),
  output: output({ deleted: z.boolean().describe('False if there was no such note.') }),
  call: async (client, { namespace, key, if_version: ifVersion }) => ({
    deleted: (await client.notes.delete(namespace, key, { ifVersion })) !== undefined,
  }),
  text: ({ deleted }) => (deleted ? 'Deleted the note.' : 'There is no such note.'),
});

/** Tools for the caller's own notes. */
export const NOTE_TOOLS = [writeNote, readNote, listNotes, deleteNote];
