import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { DeleteNoteHandler } from './delete-note.js';
import { GetNoteHandler } from './get-note.js';
import { ListNamespacesHandler } from './list-namespaces.js';
import { ListNotesHandler } from './list-notes.js';
import { NoteAccess } from './note-access.js';
import { NoteEvidence } from './note-evidence.js';
import { NoteExpiryWorker } from './note-expiry-worker.js';
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
    NoteExpiryWorker,
  ],
  exports: [NoteAccess, NoteEvidence],
})
export class NotesModule {}
