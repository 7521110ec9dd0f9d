import { Module } from '@nestjs/common';
import { NotesProjection } from './notes.projection.js';
import { NoteQueries } from './queries.js';

@Module({ providers: [NotesProjection, NoteQueries], exports: [NoteQueries] })
export class NotesReadModelModule {}
