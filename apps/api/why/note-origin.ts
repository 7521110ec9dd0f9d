import { Inject, Injectable } from '@nestjs/common';
import { noSuchNote } from '#domain/note/note.decider.js';
import type { Actor } from '#domain/recorded-event.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { countAt } from '#event-store/stream-past.js';
import { NoteAccess } from '../notes/note-access.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { eventAt } from './episode-origin.js';
import { type Origin, type OriginFinder, sourceOf, UNKNOWN } from './origin.js';

/** Finds the event that gave a note its present content. */
@Injectable()
export class NoteOrigin implements OriginFinder {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: NoteAccess,
  ) {}

  /** @param id the note's stream */
  async find(actor: Actor, id: string, asOf?: bigint): Promise<Origin> {
    if (!id.startsWith('note-')) throw noSuchNote();
    const stream = await this.access.existing(actor, { stream: id });
    const last =
      asOf === undefined ? await this.eventStore.lastOf(stream) : await this.lastAt(stream, asOf);
    if (last === undefined) throw noSuchNote();
    // Only a note's owner and those who read everybody's notes get its stream.
    return { ...UNKNOWN, stream, isOwn: true, source: sourceOf(last) };
  }

  private async lastAt(stream: string, asOf: bigint): Promise<LoggedEvent | undefined> {
    const count = await countAt(this.eventStore, stream, asOf);
    return count === 0 ? undefined : eventAt(this.eventStore, stream, count - 1);
  }
}
