import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { DeleteNoteHandler } from './delete-note.handler.js';
import { GetNoteHandler } from './get-note.handler.js';
import { ListNamespacesHandler } from './list-namespaces.handler.js';
import { ListNotesHandler } from './list-notes.handler.js';
import { NoteAccess } from './note-access.js';
import { NoteExpiryWorker } from './note-expiry-worker.js';
import { NoteGate } from './note-gate.js';
import { ReadNoteHistoryHandler } from './note-history.handler.js';
import { NotesController } from './notes.controller.js';
import { PutNoteHandler } from './put-note.handler.js';
import { ShownNotes } from './shown-notes.js';

@Module({
  imports: [ClaimsModule],
  controllers: [NotesController],
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
    NoteExpiryWorker,
  ],
})
export class NotesModule {}
