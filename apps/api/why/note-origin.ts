import { Inject, Injectable } from '@nestjs/common';
import { noSuchNote } from '#domain/note/note.decider.js';
import type { Actor } from '#domain/recorded-event.js';
import type { EventStore } from '#event-store/event-store.js';
import { NoteAccess } from '../notes/note-access.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { type Origin, type OriginFinder, sourceOf, UNKNOWN } from './origin.js';

/** Finds the event that gave a note its present content. */
@Injectable()
export class NoteOrigin implements OriginFinder {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: NoteAccess,
  ) {}

  /** @param id the note's stream */
  async find(actor: Actor, id: string): Promise<Origin> {
    if (!id.startsWith('note-')) throw noSuchNote();
    const stream = await this.access.existing(actor, { stream: id });
    const last = await this.eventStore.lastOf(stream);
    if (last === undefined) throw noSuchNote();
    // Only a note's owner and those who read everybody's notes get its stream.
    return { ...UNKNOWN, stream, isOwn: true, source: sourceOf(last) };
  }
}
