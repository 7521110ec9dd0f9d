import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/recorded-event.js';
import { EpisodeOrigin } from './episode-origin.js';
import { FactOrigin } from './fact-origin.js';
import { ItemOrigin } from './item-origin.js';
import { NoteOrigin } from './note-origin.js';
import type { Origin, OriginFinder } from './origin.js';
import type { WhyKind } from './why-fields.js';

/** Finds where anything in memory came from. */
@Injectable()
export class Origins {
  private readonly finders: Readonly<Record<WhyKind, OriginFinder>>;

  constructor(fact: FactOrigin, episode: EpisodeOrigin, memory_item: ItemOrigin, note: NoteOrigin) {
    this.finders = { fact, episode, memory_item, note };
  }

  /** @throws Refusal as a read of the thing does */
  find(actor: Actor, kind: WhyKind, id: string): Promise<Origin> {
    return this.finders[kind].find(actor, id);
  }
}
