import type { NoteEvent, NotePut } from './events.js';

export interface NoteState {
  /** The number of events: the note's version. */
  readonly version: number;
  /** Null before the first event. */
  readonly owner: string | null;
  /** The last put; null if the note was deleted or has expired since. */
  readonly note: NotePut | null;
}

export const initialNote = (): NoteState => ({ version: 0, owner: null, note: null });

export function evolveNote({ version, owner }: NoteState, event: NoteEvent): NoteState {
  return event.type === 'note_put'
    ? { version: version + 1, owner: event.data.owner, note: event.data }
    : { version: version + 1, owner, note: null };
}

/** Returns the note as it exists at a time; undefined if it does not exist then (SPEC N3). */
export const noteAt = ({ note }: NoteState, at: string): NotePut | undefined =>
  note !== null && (note.expires_at === null || note.expires_at > at) ? note : undefined;
