import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { upcast } from '#domain/upcast.js';
import { type NoteEvent, noteSchemas } from '#domain/note/events.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import type { NoteStore } from '../platform/stores.js';
import { EVENT_STORE, NOTE_STORE } from '../platform/tokens.js';
import { readersOf } from '../platform/auth/roles.js';
import { EventNumber, Whole } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { NoteAccess } from './note-access.js';
import { NoteRead } from './note-fields.js';
import { NoteHistoryPageDto, type NoteVersionDto } from './note-view.js';
import { ShownNotes } from './shown-notes.js';

const DEFAULT_PAGE = 20;

@Describes({
  summary: 'Every event of a note, also after its deletion',
  roles: readersOf('note'),
  example: { namespace: ['trips'], key: 'oslo' },
  answers: [200, NoteHistoryPageDto],
  fails: ['NOT_FOUND'],
})
export class ReadNoteHistory extends NoteRead<NoteHistoryPageDto> {
  @Whole({ optional: true, min: 1, max: 100, description: 'The versions in a page; default: 20.' })
  limit?: number;

  @EventNumber({ optional: true, description: 'The next_cursor of the previous page.' })
  cursor?: number;
}

@QueryHandler(ReadNoteHistory)
export class ReadNoteHistoryHandler implements IQueryHandler<ReadNoteHistory> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(NOTE_STORE) private readonly notes: NoteStore,
    private readonly access: NoteAccess,
    private readonly shown: ShownNotes,
  ) {}

  async execute(asked: ReadNoteHistory): Promise<NoteHistoryPageDto> {
    const { actor, limit = DEFAULT_PAGE, cursor: from = 0 } = asked;
    const stream = await this.access.existing(actor, asked);
    const { owner, version } = (await this.notes.load(stream)).state;
    const mayOpen = owner !== null && this.access.isOwn(actor, owner);
    const versions: NoteVersionDto[] = [];
    for await (const event of readRecorded(this.eventStore, stream, { from, to: from + limit - 1 }))
      versions.push(await this.versionOf(event, mayOpen));
    const end = from + versions.length;
    return { stream, versions, next_cursor: end < version ? end : null };
  }

  private async versionOf(logged: LoggedEvent, mayOpen: boolean): Promise<NoteVersionDto> {
    const { number, metadata } = logged;
    const event = upcast<NoteEvent>(noteSchemas, logged);
    const common = {
      version: number + 1,
      type: event.type,
      at: timeOf(event),
      actor: metadata.actor,
      hash: metadata.hash,
    };
    if (event.type !== 'note_put') return common;
    const value = await this.shown.value(event.data, mayOpen);
    return { ...common, value, expires_at: event.data.expires_at };
  }
}

function timeOf(event: NoteEvent): string {
  switch (event.type) {
    case 'note_put':
      return event.data.updated_at;
    case 'note_deleted':
      return event.data.deleted_at;
    case 'note_expired':
      return event.data.expired_at;
  }
}
