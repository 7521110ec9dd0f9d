import { Module } from '@nestjs/common';
import { NoteQueries } from '#projections/notes/queries.js';
import { expiryWorker } from '../platform/expiry.js';
import type { NoteStore } from '../platform/stores.js';
import { NOTE_STORE } from '../platform/tokens.js';
import { ReplayModule } from '../replay/replay.module.js';
import { DeleteNoteHandler } from './delete-note.js';
import { GetNoteHandler } from './get-note.js';
import { ListNamespacesHandler } from './list-namespaces.js';
import { ListNotesHandler } from './list-notes.js';
import { NoteAccess } from './note-access.js';
import { NoteEvidence } from './note-evidence.js';
import { ReadNoteHistoryHandler } from './note-history.js';
import { recordHandlers } from '../replay/record-handlers.js';
import { ExportNote, ReplayNote } from './note-record.js';
import { NoteRecordController, NotesController } from './notes.controller.js';
import { PutNoteHandler } from './put-note.js';
import { ShownNotes } from './shown-notes.js';

@Module({
  imports: [ReplayModule],
  controllers: [NotesController, NoteRecordController],
  providers: [
    NoteAccess,
    ShownNotes,
    PutNoteHandler,
    DeleteNoteHandler,
    GetNoteHandler,
    ListNotesHandler,
    ListNamespacesHandler,
    ReadNoteHistoryHandler,
    ...recordHandlers({
      file: 'note',
      export: ExportNote,
      replay: ReplayNote,
      access: NoteAccess,
    }),
    NoteEvidence,
    expiryWorker({
      what: 'note',
      store: NOTE_STORE,
      queries: NoteQueries,
      expire: (notes: NoteStore, { stream }: { readonly stream: string }, at, identity) =>
        notes.execute(stream, [{ type: 'expire', at }], identity),
    }),
  ],
  exports: [NoteAccess, NoteEvidence],
})
export class NotesModule {}
