import { noteDecider } from '#domain/note/note.decider.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { clearValueOf, type Held, heldContent, isSealed } from '#domain/held.js';
import type { NoteEvent, NotePut } from '#domain/note/events.js';
import { keyOf, namespaceOf } from '#domain/note/name.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import type { Shown } from '#read-model/read-table.js';
import { NOTE, type NoteRow } from './tables.js';

/** The current notes of every owner (SPEC N1). */
@Projector({
  name: 'notes',
  version: 1,
  tables: [NOTE],
  reads: [noteDecider],
})
export class NotesProjection implements EventProjector<NoteEvent> {
  constructor(private readonly seals: RowSeals) {}

  async project(tx: ProjectionTransaction, events: readonly Logged<NoteEvent>[]): Promise<void> {
    const rows = await this.rowsBefore(tx, events);
    const changed = new Map<string, Shown<NoteRow>>();
    for (const event of events) {
      const { stream, number } = event;
      const version = number + 1;
      const row =
        event.type === 'note_put'
          ? putRow(stream, version, event.data)
          : goneRow(rows.get(stream), version);
      rows.set(stream, row);
      changed.set(stream, { row, event });
    }
    await NOTE.replace(tx, this.seals, [...changed.values()]);
  }

  /** Returns the rows of the notes that the events delete. */
  private async rowsBefore(
    tx: ProjectionTransaction,
    events: readonly LoggedEvent[],
  ): Promise<Map<string, NoteRow>> {
    const gone = events.filter(({ type }) => type !== 'note_put').map(({ stream }) => stream);
    if (gone.length === 0) return new Map();
    const rows = await NOTE.find(tx, this.seals, 'stream = any($1::text[])', [gone]);
    return new Map(rows.map((row) => [row.stream, row]));
  }
}

function putRow(stream: string, version: number, put: NotePut): NoteRow {
  const namespace = namespaceOf(put);
  const key = keyOf(put);
  return {
    stream,
    owner: put.owner,
    namespace: clearValueOf(namespace) as readonly string[] | null,
    sealed_namespace: sealedText(namespace),
    key: clearValueOf(key) as string | null,
    sealed_key: sealedText(key),
    held: canonicalJson(heldContent(put)),
    is_sealed: isSealed(put),
    created_at: put.created_at,
    updated_at: put.updated_at,
    expires_at: put.expires_at,
    version,
    is_current: true,
  };
}

const sealedText = (held: Held): string | null =>
  isSealed(held) ? canonicalJson(held.sealed) : null;

function goneRow(row: NoteRow | undefined, version: number): NoteRow {
  if (row === undefined) throw new Error('a note is deleted before it is put');
  return { ...row, held: null, is_sealed: false, expires_at: null, version, is_current: false };
}
