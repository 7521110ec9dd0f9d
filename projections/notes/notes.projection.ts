import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { clearValueOf, type Held, heldContent, isSealed, type Sealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import type { NotePut } from '#domain/note/events.js';
import { keyOf, namespaceOf } from '#domain/note/name.js';
import { noteDecider } from '#domain/note/note.decider.js';
import { bool, int, orNull, type RowWith, text, texts } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { Projector } from '#read-model/projector.decorator.js';

const COLUMNS = {
  stream: text(),
  /** `user:<id>` or `sub:<sub>`. */
  owner: text(),
  /** Each in clear, or sealed if it contains personal data. */
  namespace: orNull(texts()),
  sealed_namespace: orNull(text()),
  key: orNull(text()),
  sealed_key: orNull(text()),
  /** Canonical JSON of the value, or of its sealed form; null if the note does not exist. */
  held: orNull(text()),
  is_sealed: bool(),
  created_at: text(),
  updated_at: text(),
  expires_at: orNull(text()),
  version: int(),
  is_current: bool(),
};
export type NoteRow = RowWith<typeof COLUMNS>;

/** One row per note; a note that was deleted or has expired keeps its row, without its value (SPEC N1). */
export const NOTE = foldedTable('notes.note', {
  reads: [noteDecider],
  key: ['stream'],
  columns: COLUMNS,
  indexes: {
    note_name: `(md5(owner), namespace, coalesce(key, ''), stream) where is_current`,
    note_sealed_namespace: '(md5(owner), stream) where is_current and namespace is null',
    note_expiry: '(expires_at) where is_current and expires_at is not null',
  },
  at: ({ stream }) => [{ stream }],
  row: (before, { type, data, stream, number }) =>
    type === 'note_put' ? put(data, stream, number + 1) : gone(before, number + 1),
});

/** The current notes of every owner (SPEC N1). */
@Projector({ name: 'notes', version: 2, tables: [NOTE] })
export class NotesProjection {}

function put(note: NotePut, stream: string, version: number): NoteRow {
  const namespace = namespaceOf(note);
  const key = keyOf(note);
  return {
    stream,
    owner: note.owner,
    namespace: clearValueOf(namespace) as readonly string[] | null,
    sealed_namespace: sealedText(namespace),
    key: clearValueOf(key) as string | null,
    sealed_key: sealedText(key),
    held: canonicalJson(heldContent(note)),
    is_sealed: isSealed(note),
    created_at: note.created_at,
    updated_at: note.updated_at,
    expires_at: note.expires_at,
    version,
    is_current: true,
  };
}

const sealedText = (held: Held): string | null =>
  isSealed(held) ? canonicalJson(held.sealed) : null;

function gone(row: NoteRow | undefined, version: number): NoteRow {
  if (row === undefined) throw new Error('a note is deleted before it is put');
  return { ...row, held: null, is_sealed: false, expires_at: null, version, is_current: false };
}

export function heldIn({ held, is_sealed }: NoteRow): Held {
  const content = JSON.parse(held ?? 'null') as Json;
  return is_sealed ? { sealed: content as unknown as Sealed } : { value: content };
}

/** Returns a namespace or a key as the row has it. */
export const partIn = (clear: Json, sealed: string | null): Held =>
  sealed === null ? { value: clear } : { sealed: JSON.parse(sealed) as Sealed };
