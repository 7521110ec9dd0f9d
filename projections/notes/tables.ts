import type { Held, Sealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { bool, int, orNull, text, texts, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/** One row per note; a note that was deleted or has expired keeps its row, without its value (SPEC N1). */
export const NOTE = readTable('notes.note', {
  key: ['stream'],
  columns: {
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
  },
  indexes: {
    note_name: `(md5(owner), namespace, coalesce(key, ''), stream) where is_current`,
    note_sealed_namespace: '(md5(owner), stream) where is_current and namespace is null',
    note_expiry: '(expires_at) where is_current and expires_at is not null',
  },
});
/** A row of the table `note`. */
export type NoteRow = RowOf<typeof NOTE>;

/** Returns the value of a note that exists. */
export function heldIn({ held, is_sealed }: NoteRow): Held {
  const content = JSON.parse(held ?? 'null') as Json;
  return is_sealed ? { sealed: content as unknown as Sealed } : { value: content };
}

/** Returns a namespace or a key as the row has it. */
export const partIn = (clear: Json, sealed: string | null): Held =>
  sealed === null ? { value: clear } : { sealed: JSON.parse(sealed) as Sealed };
