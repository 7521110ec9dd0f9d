import type { Held, Sealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { SealedTable } from '#read-model/sealed-table.js';

/** A row of the `note` table. */
export interface NoteRow {
  readonly stream: string;
  readonly owner: string;
  readonly namespace: readonly string[] | null;
  readonly sealed_namespace: string | null;
  readonly key: string | null;
  readonly sealed_key: string | null;
  readonly held: string | null;
  readonly is_sealed: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string | null;
  readonly version: number;
  readonly is_current: boolean;
}

export const NOTE = new SealedTable<NoteRow>('notes.note', ['stream'], {
  stream: 'plain',
  owner: 'plain',
  namespace: 'plain',
  sealed_namespace: 'plain',
  key: 'plain',
  sealed_key: 'plain',
  held: 'plain',
  is_sealed: 'plain',
  created_at: 'plain',
  updated_at: 'plain',
  expires_at: 'plain',
  version: 'plain',
  is_current: 'plain',
});

/** Returns the value of a note that exists. */
export function heldIn({ held, is_sealed }: NoteRow): Held {
  const content = JSON.parse(held ?? 'null') as Json;
  return is_sealed ? { sealed: content as unknown as Sealed } : { value: content };
}

/** Returns a namespace or a key as the row has it. */
export const partIn = (clear: Json, sealed: string | null): Held =>
  sealed === null ? { value: clear } : { sealed: JSON.parse(sealed) as Sealed };
