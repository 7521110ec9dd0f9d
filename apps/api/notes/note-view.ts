import type { Json } from '#domain/json.js';
import {
  ApiField,
  INSTANT,
  JSON_VALUE,
  list,
  many,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

/** A note (SPEC N1). */
export class NoteDto {
  @ApiField(list(TEXT)) readonly namespace!: readonly string[];
  @ApiField(TEXT) readonly key!: string;
  @ApiField(JSON_VALUE) readonly value!: Json;

  @ApiField(INSTANT, { description: 'The first put since the note last did not exist.' })
  readonly created_at!: string;

  @ApiField(INSTANT) readonly updated_at!: string;

  @ApiField(WHOLE, { description: 'The number of events of the note so far.' })
  readonly version!: number;

  @ApiField(orNull(INSTANT), { description: 'Null for a note without a time to live.' })
  readonly expires_at!: string | null;

  @ApiField(TEXT, { description: 'The note’s stream in the log.' })
  readonly stream!: string;
}

export class NotesPageDto {
  @ApiField(many(NoteDto), {
    description:
      'In the order of namespace and key by UTF-8 bytes; notes with a sealed namespace follow.',
  })
  readonly notes!: readonly NoteDto[];

  @ApiField(orNull(TEXT), {
    description:
      'Null on the last page. A page of large notes, or with a filter, can have fewer notes than its limit.',
  })
  readonly next_cursor!: string | null;
}

export class NoteDeletedDto {
  @ApiField(WHOLE, { description: 'The number of events of the note so far.' })
  readonly version!: number;
}

export class NamespacesPageDto {
  @ApiField(list(list(TEXT)), { description: 'In byte order, each once.' })
  readonly namespaces!: readonly (readonly string[])[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

/** One event of a note. */
export class NoteVersionDto {
  @ApiField(WHOLE) readonly version!: number;
  @ApiField(oneOf('note_put', 'note_deleted', 'note_expired')) readonly type!: string;

  @ApiField(JSON_VALUE, { optional: true, description: 'Only for a put.' })
  readonly value?: Json;

  @ApiField(orNull(INSTANT), { optional: true, description: 'Only for a put.' })
  readonly expires_at?: string | null;

  @ApiField(INSTANT) readonly at!: string;

  @ApiField(TEXT, { description: 'The sub of the writer; `system` for an expiry.' })
  readonly actor!: string;

  @ApiField(TEXT, { description: 'The event’s hash in the hash chain of the stream.' })
  readonly hash!: string;
}

export class NoteHistoryPageDto {
  @ApiField(TEXT) readonly stream!: string;

  @ApiField(many(NoteVersionDto), { description: 'Oldest first.' })
  readonly versions!: readonly NoteVersionDto[];

  @ApiField(orNull(WHOLE)) readonly next_cursor!: number | null;
}
