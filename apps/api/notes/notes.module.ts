import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { DeleteNoteHandler } from './delete-note.handler.js';
import { ExportNoteHandler } from './export-note.handler.js';
import { GetNoteHandler } from './get-note.handler.js';
import { ListNamespacesHandler } from './list-namespaces.handler.js';
import { ListNotesHandler } from './list-notes.handler.js';
import { NoteAccess } from './note-access.js';
import { NoteEvidence } from './note-evidence.js';
import { NoteExpiryWorker } from './note-expiry-worker.js';
import { NoteGate } from './note-gate.js';
import { ReadNoteHistoryHandler } from './note-history.handler.js';
import { NoteRecordController } from './note-record.controller.js';
import { NotesController } from './notes.controller.js';
import { PutNoteHandler } from './put-note.handler.js';
import { ReplayNoteHandler } from './replay-note.handler.js';
import { ShownNotes } from './shown-notes.js';

@Module({
  imports: [ReplayModule],
  controllers: [NotesController, NoteRecordController],
  providers: [
    NoteAccess,
    NoteGate,
    ShownNotes,
    PutNoteHandler,
    DeleteNoteHandler,
    GetNoteHandler,
    ListNotesHandler,
    ListNamespacesHandler,
    ReadNoteHistoryHandler,
    ExportNoteHandler,
    ReplayNoteHandler,
    NoteEvidence,
    NoteExpiryWorker,
  ],
  exports: [NoteAccess, NoteEvidence],
})
export class NotesModule {}
